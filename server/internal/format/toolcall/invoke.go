package toolcall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The tags of calls in which attributes name the tool and its parameters (rule C16), as in `<invoke name="edit">`, or in
// which the name follows the name of the tag (rule C23), as in `<function=edit>`.
var (
	aroundCalls  = lazyregexp.New(`^ {0,3}</?(?:[a-z]+:)?(?:function_calls|tool_calls?)>[ \t]*$`)
	invokeTag    = lazyregexp.New(`^<(?:(?:[a-z]+:)?invoke name="|function=)([^">\n]+)"?>`)
	parameterTag = lazyregexp.New(`^<((?:[a-z]+:)?parameter)(?: name="|=)([^">\n]+)"?>`)
	invokedPath  = lazyregexp.New(`<(?:[a-z]+:)?parameter(?: name="|=)(?:path|file_path|target_file|notebook_path)"?>([^<]*)<`)
	viewCommand  = lazyregexp.New(`<(?:[a-z]+:)?parameter(?: name="|=)command"?>\s*view\s*<`)
)

// invoked returns the name of the tool that a tag calls, or "" for any other tag.
func invoked(tag string) string {
	if m := invokeTag.FindStringSubmatch(tag); m != nil {
		return m[1]
	}
	return ""
}

// invokes reports whether a text begins with a call that may change a file: the call names a file, and its tool does
// not only read.
func invokes(s string) bool {
	for _, last := range []string{"invoke>", "</function>"} {
		s, _, _ = strings.Cut(s, last)
	}
	m := invokedPath.FindStringSubmatch(s)
	if m == nil || isReader(invoked(strings.TrimLeft(s, " "))) || viewCommand.MatchString(s) {
		return false
	}
	path := strings.TrimSpace(m[1])
	return path != "" && (!strings.Contains(path, " ") || strings.ContainsAny(path, "./"))
}

// invoke reads a call whose tag has an attribute with the name of the tool.
func (r *tagReader) invoke(name string, whole, head, inner text.Span) {
	params, ok := r.each(inner, opensParameter, "")
	if !ok {
		r.parsed.Entries++
		return
	}
	if command := first(params, "command"); command != nil && slices.Contains(commands, strings.TrimSpace(command.value.In(r.body))) {
		name = strings.TrimSpace(command.value.In(r.body))
	}
	t, ok := toolOf(name)
	t = t.shownBy(name, func(param string) bool { return first(params, param) != nil })
	switch {
	case isReader(name):
	case ok:
		r.take(t, whole, head, r.only(t, params))
	case !slices.ContainsFunc(pathNames, func(name string) bool { return first(params, name) != nil }):
		r.report(diag.New(diag.CallIgnored, head, fmt.Sprintf("a call of %q names no file, so the call is left out", name)))
	default:
		r.parsed.Entries++
		r.report(diag.New(diag.CallUnknown, head, fmt.Sprintf("a call of %q may change a file, but is not supported; Aptix knows %s", name, known())))
	}
}

// only returns the parameters that the tool of a call knows, and reports all other parameters.
func (r *tagReader) only(t tool, params []element) []element {
	names := slices.Concat(t.params(), idle, options)
	for _, e := range params {
		if !slices.Contains(names, e.name) {
			r.fail(text.Span{Start: e.at.Start, End: e.value.Start}, fmt.Sprintf("`%s` is not a parameter of this tool; its parameters are `%s`", e.name, strings.Join(t.params(), "`, `")))
		}
	}
	return params
}

// opensParameter is an [opener] for the tag of a parameter whose name is in an attribute.
func opensParameter(s string) (element, tag string, size int) {
	if m := parameterTag.FindStringSubmatch(s); m != nil {
		return m[2], m[1], len(m[0])
	}
	return "", "", 0
}
