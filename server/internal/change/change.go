// Package change is the one currency of all formats: what a block intends, before
// any file is read. A format turns a block into a [Set] and knows no file tree;
// package plan turns a Set and a tree into a plan and knows no format.
package change

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Set is what one block intends, in order. All spans in it are bytes of the
// block's body.
type Set struct {
	Root    string // "" or "." for the workspace root; paths are relative to it
	RootAt  Literal
	Changes []Change

	// The format writes one change per edit, so that a path may well come again.
	PathsRepeat bool
}

// Kind is what a change does with its file as a whole.
type Kind int

// The kinds of change.
const (
	Write   Kind = iota // create or replace, whichever it takes
	Create              // the file must not be there with other content
	Replace             // the file should be there
	Delete              // a file that is not there is done
	Edit                // steps over the text of a file that must be there
)

// A Change is one operation on one file.
type Change struct {
	Kind    Kind
	Path    string // as written, relative to the set's root
	Content string // of Write, Create and Replace: the whole text, as written
	Steps   []Step // of Edit, in order; each sees what the ones before it did

	At        text.Span // the entry as a whole, in the block's body
	PathAt    Literal
	KindAt    Literal // the operation's name, where the block has one
	ContentAt Literal
}

// A Literal is where a value stands in a block, and how that format writes one.
// Fixes need both. The zero Literal stands for a value that is not written.
type Literal struct {
	Span   text.Span
	Encode func(value string) string // nil: written as it is
}

// Set is the edit of the block that writes value in the literal's place.
func (l Literal) Set(value string) text.Edit {
	if l.Encode != nil {
		value = l.Encode(value)
	}
	return text.Edit{Span: l.Span, New: value}
}

// A Step is one edit of a file's text.
type Step struct {
	At     text.Span // in the block's body
	Editor Editor
}

// An Editor is a pure function from a target to what it would do there. It must
// not keep state between calls: plans are built again and again.
type Editor func(Target) Outcome

// A Target is what an editor works on.
type Target struct {
	Text string // decoded, without BOM, with the line endings that it has
	// The history knows that the same reply was applied to this file, and the file
	// does not stand as it was before that.
	Applied bool
	Cursor  int // where the step before stopped, in bytes, for formats that go from top to bottom; 0 at first

	Block    int       // that the step is in, from 1
	Earlier  []Earlier // steps of the reply that edited the file before, in order; only to speak of them
	Original string    // the text before the first of Earlier
	Unmet    []string  // of the steps before, in order: see [Outcome]
}

// Earlier is a step that edited a file before another one does.
type Earlier struct {
	Block  int         // from 1
	Number int         // among the steps of that block over this file, from 1
	Edits  []text.Edit // of the text that it met
}

// An Outcome is what an editor would do. No Edits and not Done is a step that
// changes nothing, which a problem must explain.
type Outcome struct {
	Edits    []text.Edit // of the target
	Done     bool        // what the step asks for stands already
	Cursor   int         // in the text after Edits
	Problems []diag.Diagnostic

	// Unmet is what a step that did not find its place speaks of: once it is mended,
	// the steps behind it may meet that text, and not what they meet now. "" for none.
	Unmet string
}
