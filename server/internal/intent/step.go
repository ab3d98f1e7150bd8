package intent

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Step edits a file's text. Each format has its own kinds, which are data: without
// functions and without state, as a plan is built again and again from the same steps.
type Step interface {
	// Span is the step in the block's body.
	Span() text.Span
	// Parts are the parts of the step in the block's body, such as the hunks of a patch. A
	// person can leave some out. Nil for a step that is one piece.
	Parts() []text.Span
	// Resolve finds what the step does to a target, by the rules of its format. It is a
	// pure function.
	Resolve(Target) Outcome
}

// A Target is what a step works on.
type Target struct {
	Text *locate.Text // decoded, without BOM, with its line endings; of a Raw change the bytes
	// The history knows that the same reply was applied to this file, and the file is
	// not as it was before that.
	Applied bool
	Cursor  int // where the step before stopped, in bytes, for formats that go from top to bottom; 0 at first
	// The block's line endings are those of the editor or the system that it came
	// through: what the writer meant is not known.
	EndingsUnknown bool
	SkipMissing    bool // a replacement whose find is not there is left out (rule S7)
	// Text is an earlier one of the file, and what the step makes of it is merged with the
	// present one (rule R39). A step that is exactly in one place applies there, whatever
	// it says of line numbers.
	Earlier bool

	Skipped Skipped // parts to leave out
	Before  Before  // only for messages, and to doubt what depends on it
}

// Skipped are the changes and parts of one set that a person leaves out, by their
// place in the block's body.
type Skipped map[text.Span]bool

// Before is what the steps of a reply before this one did to a file.
type Before struct {
	Block    int          // that this step is in, from 1
	Steps    []Earlier    // those that edited the file, in order
	Original *locate.Text // the text before the first of Steps; nil for none
	Unmet    []string     // of those that did not find their place, in order: see [Outcome]
}

// Earlier is a step that edited a file before another one does.
type Earlier struct {
	Block  int         // from 1
	Number int         // among the steps of that block over this file, from 1
	Edits  []text.Edit // of the text that it met
}

// An Outcome is what a step does to a target. No Edits and not Done is a step that
// changes nothing, which a problem must explain.
type Outcome struct {
	Edits    []text.Edit // of the target
	Done     bool        // the target already has what the step asks for
	Proven   bool        // the block names what the target becomes, and it does
	Cursor   int         // in the text after Edits
	Problems []diag.Diagnostic
	Written  Written // of a step that is one piece

	Places []Place // of the step's parts, or of the step where it has none

	// Unmet is the text that a step without a place is about: once the step is repaired,
	// later steps may meet that text, and not what they meet now. "" for none.
	Unmet string
}

// Written is the text that a step puts in, as the block has it. The zero Written is for a step whose
// block does not have it in one piece.
type Written struct {
	Text string
	At   Literal
}

// A Place is where a step, or a part of one, applies in its target.
type Place struct {
	At     text.Span // the step or the part, in the block's body
	Target text.Span // bytes of Target.Text: what it replaces, or if Done its result
	Done   bool
}
