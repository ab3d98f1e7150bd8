package lines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An op is an element of `changes`, which replaces the lines from first to last. Lines count from 1, in the text
// before any change.
type op struct {
	// the replaced lines; for an insertion, last is first-1, and the new lines go above line first
	first, last int
	expected    []string
	lines       []string // the new lines, without line endings
	at          text.Span

	firstAt    text.Span   // of afterLine or startLine
	lastAt     text.Span   // of endLine; zero for an insertion
	expectedAt []text.Span // of each expected line
	listAt     text.Span   // of the opening bracket of the list of expected lines
	linesAt    []text.Span // of each new line
}

func (o op) change() place.Change {
	return place.Change{Old: text.Joined(o.expected), New: text.Joined(o.lines)}
}

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// newLines returns the edits of the block that write other new lines.
func (o op) newLines(lines []string) (edits []text.Edit) {
	if slices.Equal(lines, o.lines) || len(o.linesAt) == 0 {
		return nil
	}
	quoted := text.Each(lines, lenientjson.Quote)
	if len(lines) != len(o.linesAt) {
		all := text.Span{Start: o.linesAt[0].Start, End: o.linesAt[len(o.linesAt)-1].End}
		return []text.Edit{{Span: all, New: strings.Join(quoted, ", ")}}
	}
	for i, at := range o.linesAt {
		if lines[i] != o.lines[i] {
			edits = append(edits, text.Edit{Span: at, New: quoted[i]})
		}
	}
	return edits
}

func (o op) inserts() bool { return o.last < o.first }

func (o op) said(c protocol.PatchChange) protocol.PatchChange {
	c.ExpectedOriginalLines, c.NewLines = o.expected, o.lines
	if o.inserts() {
		after := o.last
		c.AfterLine = &after
		return c
	}
	c.StartLine, c.EndLine = o.first, o.last
	return c
}

// members are the members of each operation, besides those of all operations (rules L10 to L13).
var members = map[string][]string{
	"insert":  {"afterLine", "newLines"},
	"replace": {"startLine", "endLine", "expectedOriginalLines", "newLines"},
	"delete":  {"startLine", "endLine", "expectedOriginalLines"},
}

// change reads an element of `changes`. It returns false if the element has an error.
func (r *reader) change(n *lenientjson.Node) (o op, said protocol.PatchChange, ok bool) {
	before := r.Errors()
	e := r.Object(n, jsonshape.LineChangeMembers)
	said = protocol.PatchChange{ChangeKey: r.note(e, "changeKey"), Description: r.note(e, "description")}
	if said.Operation, ok = r.operation(e); !ok {
		return o, said, false
	}
	r.unused(e, said.Operation)
	o.at = n.Span
	if said.Operation == "insert" {
		r.insertion(&o, e)
	} else {
		r.replacement(&o, e, said.Operation)
	}
	return o, said, r.Errors() == before
}

func (r *reader) operation(e jsonshape.Object) (string, bool) {
	if e.Member("operation") == nil {
		r.Report(diag.MissingLineOperation, jsonshape.Bracket(e.Node), "`operation` is missing; write \"insert\", \"replace\" or \"delete\"")
		return "", false
	}
	n, ok := e.String("operation", diag.MissingLineOperation, diag.OperationNotString, "one of insert, replace, delete")
	if ok && members[n.Text] == nil {
		r.UnknownOperation(n)
		return "", false
	}
	if !ok {
		return "", false
	}
	return n.Text, true
}

// unused reports members that belong to another operation, and have an effect there.
func (r *reader) unused(e jsonshape.Object, operation string) {
	for _, name := range []string{"afterLine", "startLine", "endLine", "expectedOriginalLines", "newLines"} {
		m := e.Member(name)
		if m == nil || slices.Contains(members[operation], name) {
			continue
		}
		remove := e.Remove(m)
		remove.Preferred = m.Value.Kind == lenientjson.Array && len(m.Value.Elems) == 0
		r.Report(diag.MisplacedMember, m.Key.Span, fmt.Sprintf("`%s` has no meaning in the operation %q; only `%s` may be used", name, operation, strings.Join(members[operation], "`, `")), remove)
	}
}

func (r *reader) insertion(o *op, e jsonshape.Object) {
	var ok bool
	o.last, o.firstAt, ok = r.number(e, "afterLine", 0)
	o.first = o.last + 1
	o.lines, _ = r.lines(e, "newLines")
	if m := e.Member("newLines"); ok && m != nil && m.Value.Kind == lenientjson.Array && len(m.Value.Elems) == 0 {
		r.Report(diag.EmptyNewLines, m.Value.Span, "`newLines` is empty; write at least one line, or leave the change out")
	}
}

func (r *reader) replacement(o *op, e jsonshape.Object, operation string) {
	var ok, ok1, ok2, ok3 bool
	o.expected, ok3 = r.lines(e, "expectedOriginalLines")
	if ok3 {
		list := e.Member("expectedOriginalLines").Value
		o.listAt = jsonshape.Bracket(list)
		o.expectedAt = text.Each(list.Elems, func(line *lenientjson.Node) text.Span { return line.Span })
	}
	o.first, o.firstAt, ok1 = r.number(e, "startLine", 1)
	o.last, o.lastAt, ok2 = r.number(e, "endLine", 1)
	if operation == "replace" {
		if o.lines, ok = r.lines(e, "newLines"); ok {
			o.linesAt = text.Each(e.Member("newLines").Value.Elems, func(line *lenientjson.Node) text.Span { return line.Span })
		}
	}
	if ok1 && ok2 && ok3 {
		r.extent(*o)
	}
}

// extent checks that the range of an op is valid, and has as many lines as are expected.
func (r *reader) extent(o op) {
	size := o.last - o.first + 1
	switch {
	case size < 1:
		r.Report(diag.LineRange, o.lastAt, fmt.Sprintf("`endLine` is %d, before `startLine`, which is %d", o.last, o.first),
			diag.Fix{Title: "Swap the two numbers", Edits: []text.Edit{number(o.firstAt, o.last), number(o.lastAt, o.first)}, Preferred: o.first-o.last+1 == len(o.expected)})
	case size != len(o.expected):
		var fixes []diag.Fix
		if end := o.first + len(o.expected) - 1; end >= o.first {
			fixes = []diag.Fix{{Title: fmt.Sprintf("Change `endLine` to %d", end), Edits: []text.Edit{number(o.lastAt, end)}}}
		}
		r.Report(diag.ExpectedCount, o.listAt, fmt.Sprintf("lines %d to %d are %d lines, but `expectedOriginalLines` has %d", o.first, o.last, size, len(o.expected)), fixes...)
	}
}

func (r *reader) lines(e jsonshape.Object, name string) (lines []string, ok bool) {
	m := e.Member(name)
	if m == nil {
		r.Report(diag.MissingLines, jsonshape.Bracket(e.Node), fmt.Sprintf("`%s` is missing; it lists lines, each as a string without its line ending", name))
		return nil, false
	}
	if m.Value.Kind != lenientjson.Array {
		r.Report(diag.LinesNotArray, jsonshape.Narrow(m.Value), fmt.Sprintf("`%s` is %v; an array of strings is expected, one for each line", name, m.Value.Kind))
		return nil, false
	}
	ok = true
	lines = make([]string, 0, len(m.Value.Elems))
	for _, n := range m.Value.Elems {
		ok = r.line(n, name) && ok
		lines = append(lines, n.Text)
	}
	return lines, ok
}

func (r *reader) line(n *lenientjson.Node, name string) bool {
	switch {
	case n.Kind != lenientjson.String:
		r.Report(diag.LineNotString, jsonshape.Narrow(n), fmt.Sprintf("this is %v, but a line is expected: `%s` lists strings", n.Kind, name))
		return false
	case strings.ContainsAny(n.Text, "\r\n"):
		lines := text.Each(text.SplitLines(n.Text), func(line string) string { return lenientjson.Quote(text.TrimEOL(line)) })
		r.Report(diag.LineBreakInLine, n.Span, fmt.Sprintf("an element of `%s` is one line, but this one has a line break; write one element for each line, or write \\\\n if the file has a backslash there", name),
			diag.Fix{Title: "Write one element for each line", Edits: []text.Edit{{Span: n.Span, New: strings.Join(lines, ", ")}}})
		return false
	}
	return true
}
