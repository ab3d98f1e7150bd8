package toolcall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type tagReader struct {
	body   string
	parsed format.Parsed
}

func readTags(body string) format.Parsed {
	r := &tagReader{body: body}
	r.parsed.Set.PathsRepeat = true
	for at := r.skip(0, len(body)); at < len(body); at = r.skip(at, len(body)) {
		end, next := text.LineEnd(body, at)
		if aroundCalls.MatchString(body[at:end]) {
			at = next
			continue
		}
		if !mdblock.OpensCall(body[at:end]) {
			r.fail(text.Span{Start: at, End: end}, "this line is outside of any call: a call ends at its last closing tag, so the text of a call must not contain that tag")
			at = next
			continue
		}
		at = r.call(at)
	}
	r.parsed.Readable = len(r.parsed.Set.Changes)
	return r.parsed
}

func (r *tagReader) report(d diag.Diagnostic) {
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, d)
}

func (r *tagReader) fail(at text.Span, message string) {
	r.report(diag.New(diag.CallTags, at, message))
}

// skip returns the offset of the first byte from `at` on that is not white space, or `end`.
func (r *tagReader) skip(at, end int) int {
	return end - len(strings.TrimLeft(r.body[at:end], " \t\r\n"))
}

func (r *tagReader) call(at int) int {
	end, closed := mdblock.CallEnd(r.body, at)
	last := mdblock.LastTag(r.body, at)
	at = r.skip(at, end)
	head := text.Span{Start: at, End: at + max(strings.IndexByte(r.body[at:], '>')+1, len(invokeTag.FindString(r.body[at:end])))}
	if !closed {
		r.parsed.Entries++
		r.fail(head, fmt.Sprintf("the call has no `%s` below its last parameter, so the end of the call is unclear", last))
		return end
	}
	inner, whole := text.Span{Start: head.End, End: end - len(last)}, text.Span{Start: head.Start, End: end}
	given := append(tagsIn(inner.In(r.body)), text.Each(r.attributes(head), func(e element) string { return e.name })...)
	tag := last[2 : len(last)-1]
	t, _ := edittools.Of(tag, given)
	if name := invoked(head.In(r.body)); name != "" {
		r.invoke(name, whole, head, inner)
		return end
	}
	params, ok := r.elements(inner, slices.Concat(t.Names(), given, []string{"args"}))
	if !ok {
		r.parsed.Entries++
		return end
	}
	params = append(r.attributes(head), params...)
	if args := first(params, "args"); args != nil {
		r.files(t, head, args.value)
	} else {
		r.known(tag, t, whole, head, params)
	}
	return end
}

// attribute matches an attribute of a tag. Its groups are the name and the value.
var attribute = lazyregexp.New(` (\w+)="([^"]*)"`)

// attributes returns the attributes of a call's tag, which are parameters of the call.
func (r *tagReader) attributes(head text.Span) (found []element) {
	for _, m := range attribute.FindAllStringSubmatchIndex(head.In(r.body), -1) {
		at := text.Span{Start: m[2], End: m[1]}.Shift(head.Start)
		found = append(found, element{name: head.In(r.body)[m[2]:m[3]], at: at, value: text.Span{Start: m[4], End: m[5]}.Shift(head.Start)})
	}
	return found
}

// tagsIn returns the names of the elements at the beginning of a text.
func tagsIn(s string) (names []string) {
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		m := startTag.FindStringSubmatch(s)
		if m == nil {
			return names
		}
		names = append(names, m[1])
		_, s, _ = strings.Cut(s, "</"+m[1]+">")
	}
}

var startTag = lazyregexp.New(`^<(\w+)>`)

func (r *tagReader) files(t edittools.Tool, head, args text.Span) {
	files, ok := r.elements(args, []string{"file"})
	if !ok || len(files) == 0 {
		r.parsed.Entries++
		if ok {
			r.fail(head, "`<args>` has no `<file>`, so the call changes nothing")
		}
		return
	}
	for _, f := range files {
		params, ok := r.elements(f.value, []string{"path", "diff"})
		if !ok {
			r.parsed.Entries++
			continue
		}
		at, head := f.at, text.Span{Start: f.at.Start, End: f.at.Start + len("<file>")}
		paths := text.Only(params, func(e element) bool { return e.name == "path" })
		diffs := text.Only(params, func(e element) bool { return e.name == "diff" })
		if len(diffs) < 2 {
			r.take(t, at, head, params)
			continue
		}
		// Each text with SEARCH/REPLACE blocks is a separate change.
		for _, d := range diffs {
			r.take(t, d.at, head, append(slices.Clone(paths), d))
		}
	}
}

func (r *tagReader) take(t edittools.Tool, at, head text.Span, params []element) {
	r.parsed.Entries++
	c := &call{tool: t, at: at, head: head, params: map[string]param{}, report: r.report, rest: &r.parsed.Rest}
	for _, e := range params {
		if _, twice := c.params[e.name]; twice {
			c.fail(diag.CallTags, e.at, fmt.Sprintf("`<%s>` occurs twice", e.name))
		}
		c.params[e.name] = r.param(c, e)
	}
	if change, ok := c.change(); ok {
		r.parsed.Set.Changes = append(r.parsed.Set.Changes, change)
	}
}

// param returns the parameter in an element, in the form that the tool requires.
func (r *tagReader) param(c *call, e element) param {
	switch {
	case e.name == c.tool.Text && c.tool.Does == edittools.Patches:
		return r.diff(c, e)
	case e.exact && c.tool.Does != edittools.Creates && c.tool.Does != edittools.Writes && (e.name == c.tool.Text || e.name == c.tool.Old):
		p := param{text: e.value.In(r.body), at: intent.Literal{Span: e.value}}
		return p
	case e.name == c.tool.Text || e.name == c.tool.Old:
		at := r.lines(e.value)
		p := param{text: at.In(r.body), at: intent.Literal{Span: at}}
		c.open = true
		if writes := c.tool.Does == edittools.Creates || c.tool.Does == edittools.Writes; writes && text.IndentedAs(r.body, e.at.Start, at) {
			c.fail(diag.CallTags, e.at, "all lines of the text are indented like its tag, so it is unclear whether the indentation is part of the text; write the tag and the text without indentation")
		}
		return p
	}
	at := e.value
	at.Start = r.skip(at.Start, at.End)
	at.End = at.Start + len(strings.TrimRight(at.In(r.body), " \t\r\n"))
	return param{text: at.In(r.body), at: intent.Literal{Span: at}}
}

// diff returns a parameter with SEARCH/REPLACE blocks, and the line number next to them.
func (r *tagReader) diff(c *call, e element) param {
	at := e.value
	p := param{}
	if strings.HasPrefix(r.body[r.skip(at.Start, at.End):at.End], "<content>") {
		inner, ok := r.elements(at, []string{"content", "start_line"})
		if content := first(inner, "content"); ok && content != nil {
			at = content.value
		}
		if line := first(inner, "start_line"); line != nil {
			_, _ = fmt.Sscan(line.value.In(r.body), &p.line)
		}
		c.failed = c.failed || !ok
	}
	at = r.lines(at)
	p.text, p.at, p.diff = at.In(r.body), intent.Literal{Span: at}, searchblock.Lines{Rows: text.RowsIn(r.body, at)}
	return p
}

// lines returns the text between tags without `<![CDATA[` and `]]>`, and without the line breaks next to the tags.
func (r *tagReader) lines(at text.Span) text.Span {
	const open, last = "<![CDATA[", "]]>"
	if s := strings.TrimSpace(at.In(r.body)); strings.HasPrefix(s, open) && strings.HasSuffix(s, last) {
		at.Start = r.skip(at.Start, at.End) + len(open)
		at.End = at.Start + len(s) - len(open) - len(last)
	}
	for _, eol := range []string{"\r\n", "\n"} {
		if strings.HasPrefix(at.In(r.body), eol) {
			at.Start += len(eol)
			break
		}
	}
	for _, eol := range []string{"\r\n", "\n"} {
		if strings.HasSuffix(at.In(r.body), eol) {
			at.End -= len(eol)
			break
		}
	}
	return at
}

// An element is a tag with its content and its closing tag.
type element struct {
	name      string
	at, value text.Span // with the tags, and without them
	exact     bool      // the value includes the line breaks next to the tags
}

func first(elements []element, name string) *element {
	i := slices.IndexFunc(elements, func(e element) bool { return e.name == name })
	if i < 0 {
		return nil
	}
	return &elements[i]
}

// elements returns the elements in a part of the body. It returns false if there is any other text.
func (r *tagReader) elements(in text.Span, names []string) (found []element, ok bool) {
	return r.each(in, named(names), "; Aptix supports `"+strings.Join(tagsOf(names), "`, `")+"`")
}

// An opener reads a tag at the beginning of a text. It returns the names of the element and of the tag, and the
// length of the tag in bytes. For an unknown tag, `element` is "".
type opener func(s string) (element, tag string, size int)

func named(names []string) opener {
	return func(s string) (string, string, int) {
		i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(s, "<"+name+">") })
		if i < 0 {
			return "", "", 0
		}
		return names[i], names[i], len(names[i]) + 2
	}
}

// each is [tagReader.elements] for the tags that `opens` accepts. For any other text, it adds an error whose message
// ends with `known`.
func (r *tagReader) each(in text.Span, opens opener, known string) (found []element, ok bool) {
	for at := r.skip(in.Start, in.End); at < in.End; {
		name, tag, size := opens(r.body[at:in.End])
		if name == "" {
			end, _ := text.LineEnd(r.body[:in.End], at)
			r.fail(text.Span{Start: at, End: end}, "this text is not inside any parameter of the call"+known)
			return found, false
		}
		e := element{name: name, exact: strings.HasPrefix(r.body[at:], "<"+tag+" ") || tag == "arg_value"}
		e.at.Start, e.value.Start = at, at+size
		if !r.end(&e, in.End, "</"+tag+">", opens) {
			return found, false
		}
		found = append(found, e)
		at = r.skip(e.at.End, in.End)
	}
	return found, true
}

// tagsOf returns the names of elements for a message.
func tagsOf(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return edittools.IsIdle(name) || name == "args" })
}

// end finds the closing tag of an element, which must be above the next element and above `limit`. A second closing
// tag is an error.
func (r *tagReader) end(e *element, limit int, last string, opens opener) bool {
	first := r.body[e.at.Start:e.value.Start]
	for at := e.value.Start; ; {
		i := strings.Index(r.body[at:limit], last)
		if i < 0 {
			r.fail(text.Span{Start: e.at.Start, End: e.value.Start}, fmt.Sprintf("`%s` has no `%s` before the next parameter or the end of the call", first, last))
			return false
		}
		e.value.End, at = at+i, at+i+len(last)
		rest := r.body[r.skip(at, limit):limit]
		if next, _, _ := opens(rest); rest == "" || next != "" {
			break
		}
	}
	e.at.End = e.value.End + len(last)
	return !r.twice(e.at.End, limit, last, "<"+last[len("</"):len(last)-1])
}

// twice reports a second closing tag below an element, without an opening tag in between.
func (r *tagReader) twice(from, limit int, last, opening string) bool {
	rest := r.body[from:limit]
	i := strings.Index(rest, last)
	if i < 0 || strings.Contains(rest[:i], opening) {
		return false
	}
	at := from + i
	r.fail(text.Span{Start: at, End: at + len(last)}, fmt.Sprintf("`%s` occurs twice, so it is not clear where the text ends; keep only one of them", last))
	return true
}
