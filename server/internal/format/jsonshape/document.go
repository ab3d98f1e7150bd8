package jsonshape

import (
	"fmt"
	"slices"
	"sort"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Document is a block's body and its diagnostics so far.
type Document struct {
	Root        *lenientjson.Node
	Diagnostics []diag.Diagnostic

	words  *dialect
	body   string
	broken []int // the offsets of syntax errors, in ascending order
	errors int
	Room   *int // as in [format.Region]
}

// Read reads the body of a file bundle or a structured patch.
func Read(r *format.Region) *Document {
	once := readOnce(r)
	d := newDocument(r.Body, edits, once.root, once.diagnostics)
	d.Room = r.Room
	// If a bracket is missing, the member `root` may be inside another value. Paths then lead to other files.
	if d.Root.Member("root") == nil {
		d.offerOnlyIfCut()
	}
	return d
}

// ReadLines reads the body of a line patch. It reads broken JSON again with the names of a line patch's members,
// because the names affect the repairs.
func ReadLines(r *format.Region) *Document {
	once := readOnce(r)
	if len(once.diagnostics) == 0 {
		return newDocument(r.Body, lines, once.root, nil)
	}
	root, diagnostics := lenientjson.ParseAs(r.Body, lines.names)
	d := newDocument(r.Body, lines, argumentsOf(root), diagnostics)
	d.withinLines()
	return d
}

func newDocument(body string, words *dialect, root *lenientjson.Node, found []diag.Diagnostic) *Document {
	d := &Document{Root: root, Diagnostics: slices.Clone(found), words: words, body: body}
	for i, p := range d.Diagnostics {
		d.Diagnostics[i].Fixes = slices.Clone(p.Fixes) // a copy, because repairs may become uncertain
		if p.Severity == diag.Error {
			d.errors++
			d.broken = append(d.broken, p.Span.Start)
		}
	}
	return d
}

// offerOnlyIfCut makes all repairs uncertain if a bracket is missing, because the block may have been cut off.
func (d *Document) offerOnlyIfCut() {
	cut := func(p diag.Diagnostic) bool {
		return p.Code == diag.JSONUnclosed || p.Code == diag.JSONMismatchedBracket
	}
	if !slices.ContainsFunc(d.Diagnostics, cut) {
		return
	}
	for _, p := range d.Diagnostics {
		offerOnly(p)
	}
}

func offerOnly(p diag.Diagnostic) {
	for i := range p.Fixes {
		p.Fixes[i].Preferred = false
	}
}

// Whole reports whether the JSON has no syntax error. Otherwise, missing members are not reported, because they may
// be elsewhere in the text.
func (d *Document) Whole() bool { return len(d.broken) == 0 }

// Readable reports whether a node contains no syntax error.
func (d *Document) Readable(n *lenientjson.Node) bool {
	i := sort.SearchInts(d.broken, n.Span.Start)
	if i == len(d.broken) && i >= lenientjson.MaxDiagnostics {
		// Mistakes after the last diagnostic were not reported.
		return false
	}
	return n.Kind != lenientjson.Invalid && (i == len(d.broken) || d.broken[i] >= n.Span.End)
}

// Errors returns the number of errors so far.
func (d *Document) Errors() int { return d.errors }

// Add adds a diagnostic.
func (d *Document) Add(p diag.Diagnostic) {
	if p.Severity == diag.Error {
		d.errors++
	}
	d.Diagnostics = append(d.Diagnostics, p)
}

// Report adds a diagnostic with the usual severity of its code.
func (d *Document) Report(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	d.Add(diag.New(code, at, message, fixes...))
}

// Sorted returns all diagnostics, from top to bottom.
func (d *Document) Sorted() []diag.Diagnostic {
	diag.Sort(d.Diagnostics)
	return d.Diagnostics
}

// Literal returns the place of a string, in which fixes write another value.
func Literal(n *lenientjson.Node) intent.Literal {
	return intent.Literal{Span: n.Span, As: jsonString{}}
}

type jsonString struct{}

// Write implements [intent.Notation].
func (jsonString) Write(value string) string { return lenientjson.Quote(value) }

// Bracket returns the span of an opening bracket, at which diagnostics report missing members.
func Bracket(n *lenientjson.Node) text.Span {
	return text.Span{Start: n.Span.Start, End: n.Span.Start + 1}
}

// Elements returns the elements of a member that must be an array of objects. It leaves out elements with a syntax
// error, and reports any other value.
func (d *Document) Elements(list *lenientjson.Member, notArray, empty diag.Code) []*lenientjson.Node {
	name := list.Key.Text
	switch {
	case list.Value.Kind != lenientjson.Array && !d.Readable(list.Value):
		return nil
	case list.Value.Kind != lenientjson.Array:
		d.Report(notArray, Narrow(list.Value), fmt.Sprintf("`%s` is %v; an array of objects is expected", name, list.Value.Kind))
		return nil
	case len(list.Value.Elems) == 0 && d.Readable(list.Value):
		d.Report(empty, list.Value.Span, fmt.Sprintf("`%s` is empty, so there is nothing to do; add an entry, or leave the block out", name))
		return nil
	}
	var objects []*lenientjson.Node
	for _, e := range list.Value.Elems {
		switch {
		case e.Kind == lenientjson.Object && d.Readable(e):
			objects = append(objects, e)
		case e.Kind != lenientjson.Object && d.Readable(e):
			d.Report(diag.EntryNotObject, Narrow(e), fmt.Sprintf("this is %v, but an object is expected: `%s` lists objects", e.Kind, name))
		}
	}
	return objects
}

// Entries returns the number of elements of a list, which may be nil.
func Entries(list *lenientjson.Member) int {
	if list == nil {
		return 0
	}
	return len(list.Value.Elems)
}

// Narrow returns the span of a value, or of its opening bracket, because underlining a hundred lines helps nobody.
func Narrow(n *lenientjson.Node) text.Span {
	if n.Kind == lenientjson.Array || n.Kind == lenientjson.Object {
		return Bracket(n)
	}
	return n.Span
}

// A Quotation is a text in a JSON string. It may begin with bytes that the string lacks.
type Quotation struct {
	Value *lenientjson.Node
	Added int // the number of these bytes
}

// HostSpan implements [intent.Quotation].
func (q Quotation) HostSpan(s text.Span) text.Span {
	return q.Value.SourceSpan(text.Span{Start: max(s.Start-q.Added, 0), End: max(s.End-q.Added, 0)})
}

// HostEdit implements [intent.Quotation].
func (q Quotation) HostEdit(e text.Edit) text.Edit {
	quoted := lenientjson.Quote(e.New)
	return text.Edit{Span: q.HostSpan(e.Span), New: quoted[1 : len(quoted)-1]}
}

var calls = &dialect{
	names: lenientjson.Names{
		"name": false, "input": false, "arguments": false, "function": false, "tool_calls": false,
		"command": false, "path": false, "file_path": false, "target_file": false, "insert_line": false, "line": false,
		"file_text": true, "content": true, "diff": true, "insert_text": true,
		"old_str": true, "new_str": true, "old_string": true, "new_string": true, "code_edit": true, "update": true,
	},
}

// ReadCalls reads a value that may consist of tool calls. If a bracket is missing, no repair is certain, because
// more calls may be missing.
func ReadCalls(body string) *Document {
	root, diagnostics := lenientjson.ParseAs(body, calls.names)
	d := newDocument(body, calls, root, diagnostics)
	d.offerOnlyIfCut()
	return d
}
