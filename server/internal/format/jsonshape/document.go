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

// A Document is a block's body on its way to a change set, with what was found
// wrong in it so far.
type Document struct {
	Root        *lenientjson.Node
	Diagnostics []diag.Diagnostic

	words  *dialect
	body   string
	broken []int // where syntax errors begin, ascending
	errors int
	Room   *int // see [format.Region]
}

// Read reads the body of a file bundle or a structured patch.
func Read(r *format.Region) *Document {
	once := readOnce(r)
	d := newDocument(r.Body, edits, once.root, once.diagnostics)
	d.Room = r.Room
	d.withoutRoot()
	return d
}

// ReadLines reads the body of a line patch. Names of members matter to what is broken
// only: what is whole is not read again for those of line patches.
func ReadLines(r *format.Region) *Document {
	once := readOnce(r)
	if len(once.diagnostics) == 0 {
		return newDocument(r.Body, lines, once.root, nil)
	}
	root, diagnostics := lenientjson.ParseAs(r.Body, lines.names)
	d := newDocument(r.Body, lines, root, diagnostics)
	d.withinLines()
	return d
}

func newDocument(body string, words *dialect, root *lenientjson.Node, found []diag.Diagnostic) *Document {
	d := &Document{Root: root, Diagnostics: slices.Clone(found), words: words, body: body}
	for i, p := range d.Diagnostics {
		d.Diagnostics[i].Fixes = slices.Clone(p.Fixes) // their certainty may be taken
		if p.Severity == diag.Error {
			d.errors++
			d.broken = append(d.broken, p.Span.Start)
		}
	}
	return d
}

// withoutRoot takes certainty from the repairs of a block that lacks a bracket and
// has no root: it may have been there, and paths would lead elsewhere.
func (d *Document) withoutRoot() {
	if d.Root.Member("root") == nil {
		d.offerOnlyIfCut()
	}
}

// offerOnlyIfCut takes certainty from all repairs where a bracket is missing.
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

// Whole reports whether the JSON is right everywhere. Where it is not, nothing is
// said of what is missing: it may only have been read in another place.
func (d *Document) Whole() bool { return len(d.broken) == 0 }

// Readable reports whether no syntax error lies in n.
func (d *Document) Readable(n *lenientjson.Node) bool {
	i := sort.SearchInts(d.broken, n.Span.Start)
	if i == len(d.broken) && i >= lenientjson.MaxDiagnostics {
		return false // what is wrong after the last diagnostic is not known
	}
	return n.Kind != lenientjson.Invalid && (i == len(d.broken) || d.broken[i] >= n.Span.End)
}

// Errors is how many errors were found so far.
func (d *Document) Errors() int { return d.errors }

// Report notes a diagnostic.
func (d *Document) Report(p diag.Diagnostic) {
	if p.Severity == diag.Error {
		d.errors++
	}
	d.Diagnostics = append(d.Diagnostics, p)
}

// Error notes an error.
func (d *Document) Error(code diag.Code, span text.Span, message string, fixes ...diag.Fix) {
	d.Report(diag.Diagnostic{Span: span, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// Sorted is all that was found, from top to bottom.
func (d *Document) Sorted() []diag.Diagnostic {
	slices.SortStableFunc(d.Diagnostics, func(a, b diag.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return d.Diagnostics
}

// Literal is the place of a string, for fixes that write another.
func Literal(n *lenientjson.Node) intent.Literal {
	return intent.Literal{Span: n.Span, As: jsonString{}}
}

// jsonString is the notation of a JSON string.
type jsonString struct{}

// Write implements [intent.Notation].
func (jsonString) Write(value string) string { return lenientjson.Quote(value) }

// Bracket is the narrowest place for what is missing in an object or array.
func Bracket(n *lenientjson.Node) text.Span {
	return text.Span{Start: n.Span.Start, End: n.Span.Start + 1}
}

// Elements are the elements of the array that a member ought to be. They are
// those that are objects in which no syntax error lies; any other is reported.
func (d *Document) Elements(list *lenientjson.Member, notArray, empty diag.Code) []*lenientjson.Node {
	name := list.Key.Text
	switch {
	case list.Value.Kind != lenientjson.Array && !d.Readable(list.Value):
		return nil
	case list.Value.Kind != lenientjson.Array:
		d.Error(notArray, narrow(list.Value), fmt.Sprintf("`%s` is %v; an array of objects is expected", name, list.Value.Kind))
		return nil
	case len(list.Value.Elems) == 0 && d.Readable(list.Value):
		d.Error(empty, list.Value.Span, fmt.Sprintf("`%s` is empty, so there is nothing to do; add an entry, or leave the block out", name))
		return nil
	}
	var objects []*lenientjson.Node
	for _, e := range list.Value.Elems {
		switch {
		case e.Kind == lenientjson.Object && d.Readable(e):
			objects = append(objects, e)
		case e.Kind != lenientjson.Object && d.Readable(e):
			d.Error(diag.EntryNotObject, narrow(e), fmt.Sprintf("%v where an object is expected: `%s` lists objects", e.Kind, name))
		}
	}
	return objects
}

// Entries is how many elements the array that a member ought to be has.
func Entries(list *lenientjson.Member) int {
	if list == nil {
		return 0
	}
	return len(list.Value.Elems)
}

// narrow is a value's span, or its first bracket: a range over a hundred lines
// shows nothing.
func narrow(n *lenientjson.Node) text.Span {
	if n.Kind == lenientjson.Array || n.Kind == lenientjson.Object {
		return Bracket(n)
	}
	return n.Span
}
