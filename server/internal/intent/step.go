package intent

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Step edits a file's text. Each format has its own kinds. They are data, without
// functions and without state, because a plan is built again and again from the same steps.
type Step interface {
	// Span returns the step's span in the block's body.
	Span() text.Span
	// Parts returns the parts of the step in the block's body, such as the hunks of a
	// patch. A person can leave some out. It returns nil for a step in one piece.
	Parts() []text.Span
	// Resolve computes the effect of the step on a target, by the rules of its format. It
	// is a pure function.
	Resolve(Target) Outcome
}

// A Target is the text on which a step works.
type Target struct {
	Text *locate.Text // decoded, without the byte order mark, with its line endings; for a Raw change, the bytes
	// Applied is true if, according to the history, the same reply was applied to this
	// file, and the file has changed since before that.
	Applied bool
	Cursor  int // the end of the step before, in bytes, for formats that go from top to bottom; 0 at first
	// EndingsUnknown is true if the editor or the system set the block's line endings, so
	// that they do not show the writer's intention.
	EndingsUnknown bool
	SkipMissing    bool // leave out a replacement whose find is missing (rule S7)
	// Earlier is true if Text is an earlier text of the file. The step's result is then
	// merged with the present text (rule R39). If the step matches exactly one place, it
	// applies there, whatever line numbers it names.
	Earlier bool

	Skipped Skipped // parts to leave out
	Before  Before  // for messages, and for doubts that depend on it
}

// Skipped holds the changes and parts of a set that a person leaves out, by their span in
// the block's body.
type Skipped map[text.Span]bool

// Before records the effects of the reply's earlier steps on a file.
type Before struct {
	Block    int          // the block of the current step, from 1
	Steps    []Earlier    // the steps that edited the file, in order
	Original *locate.Text // the text before the first of Steps; nil if there are none
	Unmet    []string     // texts of the steps that found no place, in order: see [Outcome]
}

// Earlier is a step that edited a file before the current step.
type Earlier struct {
	Block  int         // from 1
	Number int         // among the steps of that block for this file, from 1
	Edits  []text.Edit // edits of the text that the step got
}

// An Outcome is the effect of a step on a target. If Edits is empty and Done is false, the
// step changes nothing, and a problem must explain why.
type Outcome struct {
	Edits    []text.Edit // edits of the target
	Done     bool        // the target already has the result of the step
	Proven   bool        // the block names the result by a hash, and it is right
	Cursor   int         // in the text after Edits
	Problems []diag.Diagnostic
	Written  Written // the written text, if the step is in one piece

	Places []Place // places of the step's parts, or of the step itself if it has none

	// Unmet is the text that a step without a place looks for. After a repair of the step,
	// later steps may find that text instead of their present places. It is "" if there is
	// none.
	Unmet string
}

// Written is the text that a step inserts, as the block has it. It is zero if the block
// does not have that text in one piece.
type Written struct {
	Text string
	At   Literal
}

// A Place is a place in the target at which a step, or a part of one, applies.
type Place struct {
	At     text.Span // the step or the part, in the block's body
	Target text.Span // bytes of Target.Text that are replaced; if Done, the result that is already there
	Done   bool
}
