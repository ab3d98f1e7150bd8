package intent

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Step edits a file's text. Each format has its own kinds of steps. Steps are data, without functions and without
// state, because a plan is built again and again from the same steps.
type Step interface {
	// Span returns the step's span in the block's body.
	Span() text.Span
	// Parts returns the spans of the step's parts in the block's body, such as the hunks of a patch. A person can leave
	// out some of the parts. Parts returns nil for a step in one piece.
	Parts() []text.Span
	// Resolve computes the effect of the step on a target, by the rules of its format. It
	// is a pure function.
	Resolve(Target) Outcome
}

// A Target is the text on which a step works.
type Target struct {
	// the decoded text without the byte order mark, with the line endings of the file; for a Raw change, the bytes
	Text *place.Text
	// Applied is true if, according to the history, the same reply was applied to this file, and the
	// file now differs from its text before that apply.
	Applied bool
	Cursor  int // end of the previous step, in bytes, for formats that go from top to bottom; 0 at first
	// EndingsUnknown is true if the editor or the system set the block's line endings, so
	// that they do not show the writer's intention.
	EndingsUnknown bool
	SkipMissing    bool // leave out a replacement if its find is missing (rule S7)
	// Earlier is true if Text is an earlier text of the file. If so, the step's result is merged with the current text
	// (rule R39). A step that matches exactly one place applies there, even if it names other line numbers.
	Earlier bool

	Skipped Skipped // the parts to leave out; a step that is left out as a whole is not resolved
	Before  Before  // the effects of earlier steps, for messages and for doubts that depend on them
}

// Skipped holds the changes and parts of a set that a person leaves out, by their span in
// the block's body.
type Skipped map[text.Span]bool

// Before records the effects of the reply's earlier steps on a file.
type Before struct {
	Block    int         // the block of the current step, from 1
	Steps    []Earlier   // the steps that edited the file, in order
	Original *place.Text // the text before the first of Steps; nil if there are none
	Unmet    []string    // the find and replacement of each step that found no place, in order; see [Outcome.Unmet]
}

// Earlier is a step that edited a file before the current step.
type Earlier struct {
	Block  int         // from 1
	Number int         // its number among the steps of that block for this file, from 1
	Edits  []text.Edit // its edits, in bytes of the text before the step
}

// An Outcome is the effect of a step on a target. If Edits is empty and Done is false, the
// step changes nothing, and a problem must explain why.
type Outcome struct {
	Edits    []text.Edit // edits of the target
	Done     bool        // the target already has the result of the step
	Proven   bool        // the block gives a hash of the result, and the result has that hash
	Cursor   int         // where the step ends in the text after Edits
	Problems []diag.Diagnostic
	Written  Written // the written text, if the step is in one piece

	Places []Place // places of the step's parts, or of the step itself if it has none

	// Unmet holds the find and the replacement of a step that found no place, otherwise "". If the person repairs the
	// block, this step will change the text that later steps search.
	Unmet string
}

// Written is the text that a step inserts, as the block has it. It is zero if the block does not
// have the text in one piece.
type Written struct {
	Text string
	At   Literal
}

// A Place is a place in the target at which a step, or a part of the step, applies.
type Place struct {
	At     text.Span // span of the step or the part in the block's body
	Target text.Span // the bytes of Target.Text that are replaced or, if Done is true, that already have the result
	Done   bool
}
