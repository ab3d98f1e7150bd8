package toolcall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Calls whose tags have the names of tools and parameters as attributes (rule C16).
var (
	aroundCalls  = lazyregexp.New(`^ {0,3}</?(?:[a-z]+:)?(?:function_calls|tool_calls)>[ \t]*$`)
	invokeTag    = lazyregexp.New(`^<(?:[a-z]+:)?invoke name="([^"\n]+)">`)
	parameterTag = lazyregexp.New(`^<((?:[a-z]+:)?parameter) name="([^"\n]+)">`)
	invokedPath  = lazyregexp.New(`<(?:[a-z]+:)?parameter name="(?:path|file_path|target_file)">([^<]*)<`)
	viewCommand  = lazyregexp.New(`<(?:[a-z]+:)?parameter name="command">\s*view\s*<`)
)

// invoked returns the name of the tool that a tag invokes, or "" for another tag.
func invoked(tag string) string {
	if m := invokeTag.FindStringSubmatch(tag); m != nil {
		return m[1]
	}
	return ""
}

// invokes reports whether a call at the beginning of a text may change a file, because it
// names one, and does not only read it.
func invokes(s string) bool {
	s, _, _ = strings.Cut(s, "invoke>")
	m := invokedPath.FindStringSubmatch(s)
	if m == nil || isReader(invoked(strings.TrimLeft(s, " "))) || viewCommand.MatchString(s) {
		return false
	}
	path := strings.TrimSpace(m[1])
	return path != "" && (!strings.Contains(path, " ") || strings.ContainsAny(path, "./"))
}

// invoke reads a call whose tool is an attribute.
func (r *tagReader) invoke(name string, whole, head, inner text.Span) {
	params, ok := r.parameters(inner)
	if !ok {
		r.parsed.Entries++
		return
	}
	if command := first(params, "command"); command != nil && slices.Contains(commands, strings.TrimSpace(command.value.In(r.body))) {
		name = strings.TrimSpace(command.value.In(r.body))
	}
	t, ok := toolOf(name)
	t = t.merging(name, func(param string) bool { return first(params, param) != nil })
	switch {
	case isReader(name):
	case ok:
		r.take(t, whole, head, r.only(t, params))
	case !slices.ContainsFunc(mergedPaths, func(name string) bool { return first(params, name) != nil }):
		r.report(diag.Diagnostic{Span: head, Severity: diag.Info, Code: diag.CallIgnored, Message: fmt.Sprintf("a call of %q names no file, so it is left out", name)})
	default:
		r.parsed.Entries++
		r.report(diag.Diagnostic{Span: head, Severity: diag.Error, Code: diag.CallUnknown, Message: fmt.Sprintf("a call of %q may change a file, but is not supported; known are %s", name, known())})
	}
}

// only returns the parameters of a call, and reports those that its tool does not have.
func (r *tagReader) only(t tool, params []element) []element {
	names := slices.Concat(t.params(), idle, options)
	for _, e := range params {
		if !slices.Contains(names, e.name) {
			r.fail(text.Span{Start: e.at.Start, End: e.value.Start}, fmt.Sprintf("`%s` is not a parameter of this tool; known are `%s`", e.name, strings.Join(t.params(), "`, `")))
		}
	}
	return params
}

// parameters returns the parameters of a call. It returns false if the call contains
// anything else. The text of a parameter ends at its last tag above the next parameter or
// the end of the call.
func (r *tagReader) parameters(in text.Span) (found []element, ok bool) {
	for at := r.skip(in.Start, in.End); at < in.End; at = r.skip(at, in.End) {
		m := parameterTag.FindStringSubmatchIndex(r.body[at:in.End])
		if m == nil {
			end, _ := text.LineEnd(r.body[:in.End], at)
			r.fail(text.Span{Start: at, End: end}, "the text is in no parameter of the call")
			return found, false
		}
		tag := r.body[at+m[2] : at+m[3]]
		e := element{name: r.body[at+m[4] : at+m[5]], exact: true}
		e.at.Start, e.value.Start = at, at+m[1]
		if !r.parameterEnd(&e, "</"+tag+">", in.End) || r.twice(e.at.End, in.End, "</"+tag+">", "<"+tag+" name=") {
			return found, false
		}
		found, at = append(found, e), e.at.End
	}
	return found, true
}

func (r *tagReader) parameterEnd(e *element, last string, limit int) bool {
	for at := e.value.Start; ; {
		i := strings.Index(r.body[at:limit], last)
		if i < 0 {
			r.fail(text.Span{Start: e.at.Start, End: e.value.Start}, fmt.Sprintf("the parameter `%s` has no `%s` before the next one or the end of the call", e.name, last))
			return false
		}
		e.value.End, at = at+i, at+i+len(last)
		if rest := r.body[r.skip(at, limit):limit]; rest == "" || parameterTag.MatchString(rest) {
			e.at.End = at
			return true
		}
	}
}
