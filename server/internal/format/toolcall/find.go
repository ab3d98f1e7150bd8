package toolcall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type finder struct {
	doc    format.Document
	read   int // the offset up to which the document is read
	found  []*format.Region
	noJSON bool // no JSON value ends in the rest of the document
	lines  int  // the end of the lines of JSON that were searched for a conversation
}

func find(d format.Document) []*format.Region {
	f := &finder{doc: d}
	for p := range d.Segments(&f.read) {
		at := p.At.Start
		_, next := text.LineEnd(d.Text, at)
		switch f.read = next; p.Mark {
		case mdblock.NoMark:
			f.fence(p.Fence)
			f.read = p.At.End
		case mdblock.SearchMark, mdblock.PatchMark:
			// Calls in the content of a file are not calls of the reply.
			f.read = p.At.End
		case mdblock.CallMark:
			f.tags(at)
		case mdblock.TagMark, mdblock.FileMark:
			f.unknown(at)
		case mdblock.TokenMark:
			f.tokens(p.At)
		case mdblock.ValueMark:
			if value := at + len(actionInput.FindString(d.Text[at:])); !f.noJSON && beginsCall(d.Text, value) {
				f.json(value)
			}
		}
	}
	return f.found
}

func (f *finder) fence(r *format.Region) {
	if holdsCalls(r, f.doc.Meter) {
		f.found = append(f.found, &format.Region{Block: r.Block})
	} else if tool, _ := f.toolAbove(r.Span.Start); tool != "" && jsonshape.Begins(r.Body) && isJSON(r.Body, string(tool), mayBeJSON(r)) {
		f.found = append(f.found, &format.Region{Block: r.Block, Shared: tool})
	} else if f.holdsLikelyEdit(r) {
		_, other := f.toolAbove(r.Span.Start)
		f.found = append(f.found, &format.Region{Block: r.Block, Shared: likelyEdit{other: other}})
	} else if f.holdsPython(r) {
		f.found = append(f.found, &format.Region{Block: r.Block, Shared: inPython{}})
	} else if what, ok := holdsUnknown(r); ok {
		f.found = append(f.found, &format.Region{Block: r.Block, Shared: what})
	}
}

func (f *finder) claim(at text.Span, closed bool, shared any) {
	r := format.Piece(f.doc.Text, at, closed)
	r.Shared = shared
	f.found, f.read = append(f.found, r), at.End
}

func (f *finder) unknown(at int) {
	if end, closed, what := unknownEnd(f.doc.Text, at, f.doc.Meter); what != "" {
		f.claim(text.Span{Start: at, End: end}, closed, what)
	}
}

// tokens claims the JSON of calls directly behind special tokens of a model's template on a line.
func (f *finder) tokens(line text.Span) {
	for at := line.Start; !f.noJSON; {
		i := mdblock.JSONBehindToken(f.doc.Text[at:line.End])
		if i < 0 {
			return
		}
		at += i
		if end, closed := lenientjson.ValueEnd(f.doc.Text, at); closed && end <= line.End {
			value := text.Span{Start: at, End: end}
			if isJSON(value.In(f.doc.Text), "", true) {
				f.claim(value, true, nil)
			} else if tool, _ := f.toolAbove(at); tool != "" && isJSON(value.In(f.doc.Text), string(tool), true) {
				f.claim(value, true, tool)
			} else if f.doc.Meter.Pay(eachMatched*value.Len()) && patchOf(jsonshape.ReadCalls(value.In(f.doc.Text)).Root) != nil {
				f.claim(value, true, likelyEdit{inLine: true})
			}
			at = end
		}
	}
}

// jsonHead matches the beginning of JSON. Its group is the name of the first member.
var jsonHead = lazyregexp.New(`^(?:\[\s*)?\{\s*"(\w+)"\s*:`)

// heads has further names of first members in a call, or in something similar.
var heads = text.WordSet("model messages message payload contents timestamp uuid parentuuid sessionid created object function functioncall tooluse toolcall toolcalls role index files operations op operation action patch " + strings.Join(edittools.Holders, " "))

// beginsCall reports whether JSON that may be a call begins at an offset.
func beginsCall(s string, at int) bool {
	const enough = 200
	if at == len(s) || s[at] != '{' && s[at] != '[' {
		return false
	}
	m := jsonHead.FindStringSubmatch(s[at:min(len(s), at+enough)])
	return m != nil && (heads[edittools.Bare(m[1])] || edittools.IsIdle(m[1]) || edittools.IsParameter(m[1]))
}

// json claims a JSON value outside of fences if it is a call or seems to be an edit. The claim ends with the last
// line of the value.
func (f *finder) json(at int) {
	s := f.doc.Text
	end, closed := lenientjson.ValueEnd(s, at)
	if !closed {
		f.noJSON, end = true, len(s)
	}
	if end := f.conversationEnd(at, end); end > 0 {
		f.claim(text.Span{Start: at, End: max(f.read, end)}, true, nil)
		return
	}
	tool, other := f.toolAbove(at)
	piece := text.Span{Start: at, End: max(f.read, text.LineAfter(s, end))}
	switch {
	case isJSON(s[at:end], "", true):
		f.claim(piece, closed, nil)
	case tool != "" && isJSON(s[at:end], string(tool), true):
		f.claim(piece, closed, tool)
	case closed && f.seemsEdit(format.Piece(s, piece, true)):
		f.claim(piece, closed, likelyEdit{other: other})
	case closed:
		f.read = piece.End
	}
}

// conversationEnd returns the end of a conversation that has a message on each line, or 0 if there is none at an offset.
// The first message ends at `end`.
func (f *finder) conversationEnd(at, end int) int {
	s, last := f.doc.Text, 0
	if at < f.lines || end >= len(s) {
		return 0
	}
	for {
		next := text.LineAfter(s, end)
		if strings.TrimSpace(s[end:next]) != "" || next >= len(s) || s[next] != '{' {
			f.lines = max(next, at+1)
			break
		}
		var closed bool
		if end, closed = lenientjson.ValueEnd(s, next); !closed {
			f.lines = next
			break
		}
		last = end
	}
	if last == 0 || !isJSON(s[at:last], "", true) || !slices.ContainsFunc(lenientjson.Values(s[at:last]), func(v text.Span) bool {
		return isEnvelope(jsonshape.ReadCalls(v.Shift(at).In(s)).Root)
	}) {
		return 0
	}
	return text.LineAfter(s, last)
}

// A toolAbove is the name of a tool on the line above the JSON of a call, such as `Action: edit_file` or
// `to=functions.edit_file`.
type toolAbove string

func (t toolAbove) parsed(body string) format.Parsed { return readJSON(body, string(t)) }

var (
	// tokensBehind matches special tokens of a model's template behind the name of a tool, and the number of the call.
	tokensBehind = lazyregexp.New(`(?::\d+)? *(?:(?:<\|\w+\|>(?:json)?)+|\[ARGS\])$`)
	actionInput  = lazyregexp.New(`^Action Input:[ \t]*`)
	labelled     = lazyregexp.New(`(?:^\W*(?i:action|tool|function|call)\b\W+|\bto=(?:functions\.)?)\w+\W*$`)
	// namesTool matches a line that ends with a name. The name must consist of several words, be the only word, or
	// follow punctuation or a label, because the last word of a line of prose may be `edit`.
	namesTool = lazyregexp.New(`(?:(?:^|\W)(\w+_\w+|[A-Za-z]?[a-z]+[A-Z]\w+)|^\W*(\w+)|(?:\w[.=>]["']?|｜>|\[TOOL_CALLS\])(\w+)|(?i:^\W*(?:action|tool|function|call)\b\W+)(\w+))\W*$`)
)

// toolAbove returns the tool on the line above an offset, or "". A name without a label must be the name of a
// known tool. `other` is true if the line has a different name.
func (f *finder) toolAbove(at int) (tool toolAbove, other bool) {
	s := strings.TrimRight(f.doc.Text[:at], " \t\r\n")
	s = strings.TrimRight(strings.TrimSuffix(s, "Action Input:"), " \t\r\n")
	line := s[max(0, len(s)-200):] // not the whole line, which may be as long as the document
	line = tokensBehind.ReplaceAllString(line[strings.LastIndexByte(line, '\n')+1:], "")
	m := namesTool.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	name := cmp.Or(m[1:]...)
	does, known := edittools.ActionOf(name)
	switch _, titled := reply.Titled(f.doc); {
	case titled || known && does == edittools.Reads || name == "apply_patch":
		return "", false
	case !known && !labelled.MatchString(line):
		return "", m[2] == ""
	}
	return toolAbove(name), !known
}

func (f *finder) tags(at int) {
	s := f.doc.Text
	if !takesParameters(s[at:], f.doc.Meter) {
		return
	}
	end, closed := mdblock.CallEnd(s, at)
	if closed {
		end = f.strayTags(at, text.LineAfter(s, end))
	}
	f.claim(text.Span{Start: at, End: end}, closed || end < len(s), nil)
}

// strayTags returns the end of a call. If the call's closing tag occurs again before the next call, a text in the
// call may contain the tag. The call then extends to the line with that tag, so that it is refused.
func (f *finder) strayTags(at, end int) int {
	s, found := f.doc.Text, end
	last := mdblock.LastTag(s, at)
	for at, next := range text.EachLine(s[end:]) {
		line := at.Shift(end).In(s)
		if mdblock.OpensCall(line) {
			break
		}
		if strings.TrimSpace(line) == last {
			found = end + next
		}
	}
	return found
}

// holdsCalls reports whether a fence begins with a call. In a fence with the tag of a programming language, a call
// in JSON must be valid, because the text may be code.
func holdsCalls(r *format.Region, m *meter.Meter) bool {
	body := strings.TrimLeft(r.Body, " \t\r\n")
	if line, rest, _ := strings.Cut(body, "\n"); aroundCalls.MatchString(strings.TrimRight(line, "\r")) {
		body = strings.TrimLeft(rest, " \t\r\n")
	}
	if line, _, _ := strings.Cut(body, "\n"); mdblock.OpensCall(strings.TrimRight(line, "\r")) {
		return anyTakesParameters(body, m)
	}
	return jsonshape.Begins(body) && isJSON(r.Body, "", mayBeJSON(r))
}

// holdsLikelyEdit reports whether a closed fence has JSON that seems to be an edit.
func (f *finder) holdsLikelyEdit(r *format.Region) bool {
	return r.Closed && mayBeJSON(r) && jsonshape.Begins(r.Body) && f.seemsEdit(r)
}

// mayBeJSON reports whether JSON in a fence may be data instead of code, by the tag of the fence.
func mayBeJSON(r *format.Region) bool {
	switch r.Kind() {
	case mdblock.Untagged, mdblock.JSON, mdblock.Records, mdblock.PlainText, mdblock.Call:
		return true
	}
	return false
}

// anyTakesParameters reports whether any call in tags has known parameters. It looks at all calls, because the first
// may only read files.
func anyTakesParameters(body string, m *meter.Meter) bool {
	for line := range text.EachLine(body) {
		if mdblock.OpensCall(line.In(body)) && takesParameters(body[line.Start:], m) {
			return true
		}
	}
	return false
}

// shaped reports whether a whole file consists of tool calls in JSON.
func shaped(r *format.Region) bool {
	if !jsonshape.Begins(r.Body) || !isJSON(r.Body, "", true) {
		return false
	}
	all := lenientjson.Values(r.Body)
	last := all[len(all)-1]
	end, closed := lenientjson.ValueEnd(r.Body, last.Start)
	return !closed || end == last.End
}

var saysCall = lazyregexp.New(`"command\\?"\s*:\s*\\?"(?:create|str_replace|insert|undo_edit)\\?"|"(?:name|tool|tool_name|toolName)"\s*:\s*"([^"\s]+)"`)

// saysAnything is a quick test before saysCall, which would otherwise take a tenth of the time for applying a large
// file bundle.
func saysAnything(body string) bool {
	return slices.ContainsFunc([]string{`"command`, `"name"`, `"tool`}, func(name string) bool { return strings.Contains(body, name) })
}

// isJSON reports whether a text consists of tool calls in JSON. `named` is the tool of values that name none. If
// `lenient` is true, broken JSON may be a call, too.
func isJSON(body, named string, lenient bool) bool {
	if named == "" && (!saysAnything(body) || !slices.ContainsFunc(saysCall.FindAllStringSubmatch(body, -1), func(m []string) bool {
		_, ok := edittools.ActionOf(m[1])
		return m[1] == "" || ok && !edittools.Reader(m[1])
	})) {
		return false
	}
	calls := false
	for _, at := range lenientjson.Values(body) {
		doc := jsonshape.ReadCalls(at.In(body))
		if !lenient && diag.HasErrors(doc.Diagnostics) {
			return false
		}
		broken := !doc.Whole() && mayCall.MatchString(at.In(body))
		calls = calls || broken || slices.ContainsFunc(callsIn(doc.Root), func(n *lenientjson.Node) bool { return isCall(n, named) })
	}
	return calls
}

// mayCall matches a member that would name a file in a call.
var mayCall = lazyregexp.New(`\\?"(?i:path|file_?path|target_?file|source)\\?"\s*:\s*\\?"`)

// parametersOf returns the object that names the tool of a call, and the object with the parameters: the same
// object, an object inside it, or JSON in a string of it.
func parametersOf(n *lenientjson.Node) (inner, input *lenientjson.Node) {
	inner = unwrapped(n)
	input = inputOf(inner)
	if input == nil {
		input = inner
	}
	if input.Kind == lenientjson.String {
		input = jsonshape.ReadCalls(input.Text).Root
	}
	return inner, input
}

// isCall reports whether a value is a call that changes a file, or is meant to. It needs a known tool or command,
// and values for the parameters, because a schema only describes parameters. `named` is the tool of a value that
// names none.
func isCall(n *lenientjson.Node, named string) bool {
	if n.Kind != lenientjson.Object {
		return false
	}
	inner, input := parametersOf(n)
	name := cmp.Or(nameOf(inner), named)
	if command := jsonshape.StringOf(input, "command"); slices.Contains(edittools.Commands, command) {
		name = command
	}
	path := hasPath(input)
	if name == "str_replace" || name == "undo_edit" {
		return path // no other JSON has these names
	}
	if _, known := edittools.ActionOf(name); !known && named != "" {
		return namesFile(input) // it counts as a call, although its effect is unknown
	}
	t, ok := edittools.Of(name, membersOf(input))
	if m := input.Member(t.List); ok && m != nil {
		return path || slices.ContainsFunc(m.Value.Elems, hasPath)
	}
	path = path || t.Does == edittools.Moves && jsonshape.StringOf(input, t.Path) != ""
	// The name `delete` next to the parameters may mean something else.
	return ok &&
		path &&
		(t.Does >= edittools.Deletes && (input != inner || named != "" || edittools.Bare(name) != "delete") || slices.ContainsFunc(t.Names()[1:], func(name string) bool { return input.Member(name) != nil }))
}

// hasPath reports whether a value has a member for the path. The path may be empty, which is then refused.
func hasPath(n *lenientjson.Node) bool {
	return n.Kind == lenientjson.Object && member(n, edittools.Paths) != nil
}
