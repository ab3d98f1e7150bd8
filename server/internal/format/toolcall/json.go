package toolcall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// names are the members that name the tool of a call.
var names = []string{"name", "tool", "tool_name", "toolName"}

// A reader reads the calls in a JSON text, which is a part of a block or a string in it.
type reader struct {
	doc     *jsonshape.Document
	named   string // the tool of calls that name none
	entries int    // the number of calls that change files
	changes []intent.Change
	undoes  string // see [format.Parsed.Undoes]
}

// An inset is a part of a body that is read separately.
type inset struct{ Start int }

func (q inset) HostSpan(s text.Span) text.Span { return s.Shift(q.Start) }

func (q inset) HostEdit(e text.Edit) text.Edit {
	return text.Edit{Span: q.HostSpan(e.Span), New: e.New}
}

// readJSON reads the values of a body. `named` is the tool of calls that name none.
func readJSON(body, named string) format.Parsed {
	parsed := format.Parsed{}
	parsed.Set.PathsRepeat = true
	var all []*reader
	talk := conversation{}
	spans := lenientjson.Values(body)
	for _, at := range spans {
		r := &reader{doc: jsonshape.ReadCalls(at.In(body)), named: named}
		talk.read(r, r.doc.Root, "", false)
		all = append(all, r)
	}
	talk.readAll()
	for i, at := range spans {
		r := all[i]
		parsed.Entries += r.entries
		parsed.Undoes += r.undoes
		parsed.Diagnostics = append(parsed.Diagnostics, intent.Diagnostics(inset{at.Start}, r.doc.Sorted())...)
		parsed.Set.Changes = append(parsed.Set.Changes, intent.Changes(inset{at.Start}, r.changes)...)
	}
	parsed.Readable = len(parsed.Set.Changes)
	return parsed
}

// unwrapped returns the object with the name and the parameters of a call, which is the member `function` in
// OpenAI's calls.
func unwrapped(n *lenientjson.Node) *lenientjson.Node {
	for _, name := range wrappers {
		if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.Object && nameOf(m.Value) != "" {
			return m.Value
		}
	}
	return n
}

// nameOf returns the tool that a call names, or "".
func nameOf(n *lenientjson.Node) string {
	return text.First(names, func(name string) string { return jsonshape.StringOf(n, name) })
}

// inputOf returns the value with the parameters of a call, or nil if they are next to the name.
func inputOf(n *lenientjson.Node) *lenientjson.Node {
	for _, name := range edittools.Holders {
		if m := n.Member(name); m != nil {
			return m.Value
		}
	}
	return nil
}

func (r *reader) call(n *lenientjson.Node) {
	switch {
	case !r.doc.Readable(n):
		// The mistakes of the value are already reported.
		r.entries++
		return
	case n.Kind != lenientjson.Object:
		r.entries++
		r.doc.Report(diag.EntryNotObject, n.Span, fmt.Sprintf("this is %v, but a call is expected", n.Kind))
		return
	}
	inner := unwrapped(n)
	input := inputOf(inner)
	switch name := cmp.Or(nameOf(inner), r.named); {
	case input == nil:
		r.input(name, inner, n)
	case input.Kind == lenientjson.String:
		r.quoted(name, input)
	default:
		r.input(name, input, n)
	}
}

func (r *reader) quoted(name string, n *lenientjson.Node) {
	in := &reader{doc: jsonshape.ReadCalls(n.Text)}
	if in.doc.Readable(in.doc.Root) {
		in.input(name, in.doc.Root, nil)
	} else {
		in.entries++
	}
	q := jsonshape.Quotation{Value: n}
	for _, d := range intent.Diagnostics(q, in.doc.Sorted()) {
		r.doc.Add(d)
	}
	r.entries += in.entries
	r.undoes += in.undoes
	r.changes = append(r.changes, intent.Changes(q, in.changes)...)
}

// input reads the parameters of a call. `whole` is the call, or nil if the text has only the parameters.
func (r *reader) input(name string, n, whole *lenientjson.Node) {
	command := jsonshape.StringOf(n, "command")
	if slices.Contains(edittools.Commands, command) {
		name = command
	}
	t, ok := edittools.Of(name, membersOf(n))
	switch numbered := numberedEdits(n); {
	case ok && t.Does == edittools.Replaces && len(numbered) > 0:
		r.readNumbered(name, t, n, numbered)
	case ok && t.List != "":
		r.readList(name, t, n)
	case ok:
		r.entries++
		if c, ok := r.parameters(t, n).change(); ok {
			if c.Kind == intent.Create && whole != nil {
				c.Instead = []diag.Fix{overwrite(c, whole.Span)}
			}
			r.changes = append(r.changes, c)
		}
	case edittools.Reader(name):
	case name == "" && command == "":
		r.entries++
		r.doc.Report(diag.CallUnknown, jsonshape.Bracket(n), "this call names neither a tool nor a command, so its effect is unknown; Aptix supports "+edittools.Known())
	case namesFile(n) || patchIn(n) != nil:
		r.entries++
		if command == edittools.Undo || name == edittools.Undo {
			r.undoes = pathOf(n)
		}
		r.doc.Report(diag.CallUnknown, jsonshape.Bracket(n), fmt.Sprintf("a call of %q may change a file, but is not supported; Aptix supports %s", shown(name, command), edittools.Known()))
	default:
		r.doc.Report(diag.CallIgnored, jsonshape.Bracket(n), fmt.Sprintf("a call of %q does not name a file, so the call is left out", shown(name, command)))
	}
}

// readList reads a call that lists edits (rule C22). An edit without a path changes the call's file.
func (r *reader) readList(name string, t edittools.Tool, n *lenientjson.Node) {
	o := r.object(t, n, t.Path, t.List)
	path, list := o.Member(t.Path), o.Member(t.List)
	if list == nil || list.Value.Kind != lenientjson.Array {
		r.entries++
		r.doc.Report(diag.MissingContent, jsonshape.Bracket(n), fmt.Sprintf("`%s` must be an array that lists the edits", t.List))
		return
	}
	r.edits(name, list.Value.Elems, func(c *call) {
		if path != nil {
			c.set(c.tool.Path, path.Value)
		}
	})
}

// edits reads the edits in a call's list. `setPath` sets the path of an edit that names no file.
func (r *reader) edits(name string, list []*lenientjson.Node, setPath func(c *call)) {
	for _, e := range list {
		r.entries++
		if e.Kind != lenientjson.Object {
			r.doc.Report(diag.EntryNotObject, e.Span, fmt.Sprintf("this is %v, but an edit is expected", e.Kind))
			continue
		}
		t, _ := edittools.Of(name, membersOf(e))
		c := r.parameters(t, e)
		if _, own := c.params[t.Path]; !own {
			setPath(c)
		}
		if change, ok := c.change(); ok {
			r.changes = append(r.changes, change)
		}
	}
}

func shown(name, command string) string {
	if name == "" || slices.Contains(edittools.Commands, command) {
		name = command
	}
	return text.Short(name)
}

// namesFile reports whether a call has a parameter that may name a file. It returns true if the parameters are not
// an object.
func namesFile(n *lenientjson.Node) bool {
	return n.Kind != lenientjson.Object || slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool {
		name := strings.ToLower(m.Key.Text)
		return edittools.IsOneOf(name, edittools.Sources) && reply.IsPath(m.Value.Text) ||
			strings.Contains(name, "path") ||
			strings.Contains(name, "file") ||
			name == "patch" ||
			name == "diff"
	})
}

// pathOf returns the path that a call names, or "".
func pathOf(n *lenientjson.Node) (path string) {
	for _, name := range membersOf(n) {
		if edittools.IsOneOf(name, edittools.Paths) {
			path = jsonshape.StringOf(n, name)
		}
	}
	return path
}

func membersOf(n *lenientjson.Node) []string {
	return text.Each(n.Members, func(m lenientjson.Member) string { return m.Key.Text })
}

// object returns the members of a call, or of one of its edits, that are in `names`. It reports each member that is not
// in `names` and may change the meaning.
func (r *reader) object(t edittools.Tool, n *lenientjson.Node, names ...string) jsonshape.Object {
	all := n.Member(t.All)
	var settled []string
	for _, m := range n.Members {
		if slices.Contains(names, m.Key.Text) {
			continue
		}
		settled = append(settled, m.Key.Text)
		if t.MayMean(m.Key.Text, valueOf(m.Value), all != nil && all.Value.Text != "false") {
			r.doc.Report(diag.UnsupportedOption, m.Key.Span, unsupported(m.Key.Text))
		}
	}
	return r.doc.Object(n, names, settled...)
}

// valueOf returns a value for [edittools.Tool.MayMean].
func valueOf(n *lenientjson.Node) string {
	switch {
	case n.Kind == lenientjson.Null:
		return "false"
	case len(n.Members)+len(n.Elems) > 0:
		return "several"
	}
	return n.Text
}

func unsupported(name string) string {
	return fmt.Sprintf("`%s` is not supported, and without it the call may mean something else; write the edit in a different way", text.Short(name))
}

func (r *reader) parameters(t edittools.Tool, n *lenientjson.Node) *call {
	before := r.doc.Errors()
	o := r.object(t, n, t.Names()...)
	c := &call{tool: t, at: n.Span, head: jsonshape.Bracket(n), params: map[string]param{}, report: r.doc.Add, failed: r.doc.Errors() > before}
	for _, name := range t.Names() {
		if m := o.Member(name); m != nil {
			c.set(name, m.Value)
		}
	}
	return c
}

func (c *call) set(name string, n *lenientjson.Node) {
	p := param{text: n.Text, at: jsonshape.Literal(n)}
	if name == c.tool.Line {
		p.at.As = number{}
	}
	if wants := kindOf(c.tool, name); n.Kind != wants {
		c.wrongKind(name, wants, n)
	} else if name == c.tool.Text && c.tool.Does == edittools.Patches {
		p.diff, p.in = searchblock.Split(p.text), jsonshape.Quotation{Value: n}
	}
	c.params[name] = p
}

func kindOf(t edittools.Tool, name string) lenientjson.Kind {
	switch name {
	case t.Line, t.Count:
		return lenientjson.Number
	case t.All:
		return lenientjson.Bool
	}
	return lenientjson.String
}

func (c *call) wrongKind(name string, wants lenientjson.Kind, n *lenientjson.Node) {
	code := map[string]diag.Code{c.tool.Path: diag.PathNotString, c.tool.Old: diag.FindNotString, c.tool.Line: diag.InsertLine}[name]
	code = cmp.Or(code, diag.ContentNotString)
	var fixes []diag.Fix
	if digits := strings.TrimSpace(n.Text); wants == lenientjson.Number && n.Kind == lenientjson.String && digits != "" && strings.Trim(digits, "0123456789") == "" {
		fixes = []diag.Fix{{Title: "Write the number " + digits, Preferred: true, Edits: []text.Edit{{Span: n.Span, New: digits}}}}
	}
	c.fail(code, n.Span, fmt.Sprintf("`%s` is %v; %v is expected", name, n.Kind, wants), fixes...)
}

func overwrite(c intent.Change, whole text.Span) diag.Fix {
	call := fmt.Sprintf(`{"name": "write_to_file", "input": {"path": %s, "content": %s}}`, lenientjson.Quote(c.Path), lenientjson.Quote(c.Content))
	return diag.Fix{Title: "Overwrite the file: call `write_to_file` instead", Edits: []text.Edit{{Span: whole, New: call}}}
}

type number struct{}

func (number) Write(value string) string { return value }

// numberedEdits returns the edits of a call that numbers its parameters, such as `old_str_1` and `new_str_1`, as objects
// with these parameters. It returns nil if no old text has a number.
func numberedEdits(n *lenientjson.Node) (edits []*lenientjson.Node) {
	byNumber, found := map[string]*lenientjson.Node{}, false
	for _, m := range n.Members {
		of, number, ok := edittools.Numbered(m.Key.Text)
		if !ok {
			continue
		}
		edit := byNumber[number]
		if edit == nil {
			edit = &lenientjson.Node{Kind: lenientjson.Object, Span: n.Span}
			byNumber[number] = edit
			edits = append(edits, edit)
		}
		key := *m.Key
		key.Text = of
		m.Key = &key
		edit.Members = append(edit.Members, m)
		found = found || edittools.IsOneOf(of, edittools.Olds)
	}
	if !found {
		return nil
	}
	return edits
}

// readNumbered reads a call with numbered edits (rule C22). They apply in the order in which they are written.
func (r *reader) readNumbered(name string, t edittools.Tool, n *lenientjson.Node, edits []*lenientjson.Node) {
	rest := *n
	rest.Members = nil
	for _, m := range n.Members {
		if _, _, ok := edittools.Numbered(m.Key.Text); !ok {
			rest.Members = append(rest.Members, m)
		}
	}
	path := r.object(t, &rest, t.Path).Member(t.Path)
	r.edits(name, edits, func(c *call) {
		if path != nil {
			c.set(c.tool.Path, path.Value)
		}
	})
}
