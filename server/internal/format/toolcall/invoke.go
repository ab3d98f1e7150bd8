package toolcall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The tags of calls. The name of the tool or of a parameter is in an attribute (rule C16), such as `<invoke
// name="edit">`, follows an equals sign after the tag's name (rule C23), such as `<function=edit>`, or follows the tag,
// such as `<tool_call>edit`; the parameters of such a call are pairs of `<arg_key>` and `<arg_value>` (rule C23).
var (
	aroundCalls      = lazyregexp.New(`^ {0,3}</?` + edittools.TagPrefix + `?(?:function_calls|tool_calls?)>[ \t]*$`)
	invokeTag        = lazyregexp.New(`^<(?:` + edittools.TagPrefix + `?(?:invoke|tool_call|tool_use) name="|function=)([^">\n]+)"?>|^<tool_call>[ \t]*([\w.-]+)`)
	parameterTag     = lazyregexp.New(`^<(` + edittools.TagPrefix + `?parameter)(?: name="|=)([^">\n]+)"?` + attributes + `>`)
	argument         = lazyregexp.New(`^<arg_key>\s*(\w+)\s*</arg_key>\s*<(arg_value)>`)
	invokedParam     = lazyregexp.New(`<` + edittools.TagPrefix + `?parameter(?: name="|=)([^">\n]+)"?` + attributes + `>([^<]*)<`)
	argumentAnywhere = lazyregexp.New(`<arg_key>\s*(\w+)\s*</arg_key>\s*<arg_value>`)
	bareParam        = lazyregexp.New(`<\w+>`)
	viewCommand      = lazyregexp.New(`<` + edittools.TagPrefix + `?parameter(?: name="|=)command"?` + attributes + `>\s*view\s*<`)
)

// attributes matches further attributes of a parameter's tag, such as `string="true"`.
const attributes = `(?: [a-z_]+="[^"<>\n]*")*`

// invoked returns the name of the tool that a tag calls, or "".
func invoked(tag string) string {
	if m := invokeTag.FindStringSubmatch(tag); m != nil {
		return cmp.Or(m[1:]...)
	}
	return ""
}

// invokes reports whether a text begins with a call that may change a file: the call names a file, and its tool does
// more than read.
func invokes(s string) bool {
	for _, last := range []string{"invoke>", "</function>", "</tool_call>", "</tool_use>"} {
		s, _, _ = strings.Cut(s, last)
	}
	if strings.Contains(s, ">"+beginPatch) || strings.Contains(s, "\n"+beginPatch) {
		return true
	}
	s = argumentAnywhere.ReplaceAllString(s, `<parameter name="$1">`)
	// A parameter may be an element whose tag is the parameter's name.
	s = bareParam.ReplaceAllStringFunc(s, func(tag string) string {
		if name := tag[1 : len(tag)-1]; edittools.IsParameter(name) {
			return `<parameter name="` + name + `">`
		}
		return tag
	})
	all := invokedParam.FindAllStringSubmatch(s, -1)
	i := slices.IndexFunc(all, func(m []string) bool { return edittools.IsOneOf(m[1], edittools.Sources) })
	if i < 0 && slices.ContainsFunc(all, func(m []string) bool { return edittools.IsOneOf(m[1], edittools.Lists) }) {
		return mayCall.MatchString(s)
	}
	if i < 0 || edittools.Reader(invoked(strings.TrimLeft(s, " "))) || viewCommand.MatchString(s) {
		return false
	}
	path := strings.TrimSpace(all[i][2])
	return path != "" && (!strings.Contains(path, " ") || strings.ContainsAny(path, "./"))
}

func (r *tagReader) invoke(name string, whole, head, inner text.Span) {
	params, ok := r.each(inner, opensParameter, "")
	if !ok {
		r.parsed.Entries++
		return
	}
	if command := first(params, "command"); command != nil && slices.Contains(edittools.Commands, strings.TrimSpace(command.value.In(r.body))) {
		name = strings.TrimSpace(command.value.In(r.body))
	}
	t, ok := edittools.Of(name, text.Each(params, func(e element) string { return e.name }))
	patch := slices.IndexFunc(params, func(e element) bool { return strings.HasPrefix(strings.TrimSpace(e.value.In(r.body)), beginPatch) })
	switch {
	case edittools.Reader(name):
	case ok:
		r.known(name, t, whole, head, params)
	case patch >= 0:
		r.parsed.Entries++
		r.report(diag.New(diag.CallUnknown, head, fmt.Sprintf("a call of %q is not supported; send the patch itself, without the call", name), writePatch(whole, params[patch].value.In(r.body))))
	case !slices.ContainsFunc(params, func(e element) bool { return edittools.IsOneOf(e.name, edittools.Sources) }):
		r.report(diag.New(diag.CallIgnored, head, fmt.Sprintf("a call of %q does not name a file, so the call is left out", name)))
	default:
		r.parsed.Entries++
		for _, e := range params {
			if name == edittools.Undo && edittools.IsOneOf(e.name, edittools.Paths) {
				r.parsed.Undoes = strings.TrimSpace(e.value.In(r.body))
			}
		}
		r.report(diag.New(diag.CallUnknown, head, fmt.Sprintf("a call of %q may change a file, but is not supported; Aptix supports %s", name, edittools.Known())))
	}
}

// only returns the parameters of the call's tool, and reports every other parameter that may have an effect. It
// returns false if there is one.
func (r *tagReader) only(t edittools.Tool, params []element) (own []element, settled bool) {
	names, all, ok := t.Names(), first(params, t.All), true
	if first(params, t.List) != nil {
		names = []string{t.Path, t.List}
	}
	for _, e := range params {
		if slices.Contains(names, e.name) {
			own = append(own, e)
		} else if t.MayMean(e.name, e.value.In(r.body), all != nil && strings.TrimSpace(all.value.In(r.body)) != "false") {
			r.report(diag.New(diag.UnsupportedOption, e.at, unsupported(e.name)))
			ok = false
		}
	}
	return own, ok
}

func (r *tagReader) known(name string, t edittools.Tool, whole, head text.Span, params []element) {
	params, ok := r.only(t, params)
	switch {
	case !ok:
		r.parsed.Entries++
	case first(params, t.List) != nil:
		r.readList(name, t, params)
	default:
		r.take(t, whole, head, params)
	}
}

// readList reads a call that lists edits in JSON (rule C22).
func (r *tagReader) readList(name string, t edittools.Tool, params []element) {
	list, path := first(params, t.List), first(params, t.Path)
	in := &reader{doc: jsonshape.ReadCalls(list.value.In(r.body))}
	q := inset{list.value.Start}
	if in.doc.Root.Kind != lenientjson.Array {
		in.entries++
		in.doc.Report(diag.MissingContent, in.doc.Root.Span, fmt.Sprintf("`%s` must be an array that lists the edits", t.List))
	}
	in.edits(name, in.doc.Root.Elems, func(c *call) {
		if path != nil {
			p := r.param(&call{tool: t}, *path)
			p.at.Span = p.at.Span.Shift(-q.Start)
			c.params[c.tool.Path] = p
		}
	})
	r.parsed.Entries += in.entries
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, intent.Diagnostics(q, in.doc.Sorted())...)
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, intent.Changes(q, in.changes)...)
}

// opensParameter is an [opener] for parameters. Their names are in attributes, or are the names of their tags.
func opensParameter(s string) (element, tag string, size int) {
	if m := parameterTag.FindStringSubmatch(s); m != nil {
		return m[2], m[1], len(m[0])
	}
	if m := argument.FindStringSubmatch(s); m != nil {
		return m[1], m[2], len(m[0])
	}
	if m := startTag.FindStringSubmatch(s); m != nil && edittools.IsParameter(m[1]) {
		return m[1], m[1], len(m[0])
	}
	return "", "", 0
}
