// Package intent is the one currency of all formats: what a block intends, before
// any file is read. A format turns a block into a [Set] and knows no file tree;
// package plan turns a Set and a tree into a plan and knows no format.
package intent

import (
	"io/fs"

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
	Write     Kind = iota // create or replace, whichever it takes
	Create                // the file must not be there with other content
	Replace               // the file should be there
	Delete                // a file that is not there is done
	Edit                  // steps over the text of a file that must be there
	Rename                // to To, with Steps over its text
	Copy                  // to To, with Steps over the copy's text
	MakeDir               // a folder that is there is done
	DeleteAll             // a file, or a folder with all that is in it
)

// A Change is one operation on one file.
type Change struct {
	Kind    Kind
	Path    string // as written, relative to the set's root
	DocPath bool   // Path is a key of a workspace's files instead (rule R27)
	To      string // of Rename and Copy: the new path, likewise
	Content string // of Write, Create and Replace: the whole text, as written
	// Of Edit, Rename and Copy, in order; each sees what the ones before it did. A
	// Delete with steps is refused unless they leave nothing.
	Steps []Step

	// Raw changes see files as git does: Content and the texts of Steps are bytes as on
	// disk, endings and byte order mark included; a symbolic link is a file that holds
	// its target, and none is followed; folders that a deletion empties go too.
	Raw bool
	// OpenEnd is for a whole text that does not say whether its last line ends: it does
	// in a new file, and an existing file keeps what it has.
	OpenEnd bool
	// MayCreate is for an Edit: a file that is not there is an empty one.
	MayCreate bool
	// Mode is what the mode becomes, with fs.ModeSymlink for a link; 0 keeps it.
	Mode fs.FileMode
	// WasMode is what the type of the file must be, likewise; 0 for any. Its
	// permissions are only compared for a warning.
	WasMode fs.FileMode
	// Changes of one group, which follow each other, happen at once, as those of a
	// commit do: Rename and Copy read what was there before the group, and a path that
	// the group vacates is free. An Edit, though, sees what an earlier one of its file
	// did. 0 for a change that is on its own.
	Group int

	At        text.Span // the entry as a whole, in the block's body
	PathAt    Literal
	ToAt      Literal
	KindAt    Literal // the operation's name, where the block has one
	ContentAt Literal
}

// A Literal is where a value stands in a block, and how that format writes one.
// Fixes need both. The zero Literal stands for a value that is not written.
type Literal struct {
	Span text.Span
	// Name is where a diagnostic shows the value, if Span holds more than that: a patch
	// has a name in several lines.
	Name   text.Span
	Encode func(value string) string // nil: written as it is
}

// Shown is what a diagnostic about the value underlines.
func (l Literal) Shown() text.Span {
	if l.Name != (text.Span{}) {
		return l.Name
	}
	return l.Span
}

// Set is the edit of the block that writes value in the literal's place.
func (l Literal) Set(value string) text.Edit {
	if l.Encode != nil {
		value = l.Encode(value)
	}
	return text.Edit{Span: l.Span, New: value}
}

// A Step edits a file's text.
type Step struct {
	At     text.Span // in the block's body
	Editor Editor
	// Parts are what the step can do by halves: the hunks of a patch. A person can
	// leave some out.
	Parts []text.Span // in the block's body
}

// An Editor is a pure function from a target to what it would do there. It must
// not keep state between calls: plans are built again and again.
type Editor func(Target) Outcome

// A Target is what an editor works on.
type Target struct {
	Text string // decoded, without BOM, with the line endings that it has; of a Raw change the bytes
	Data string // all bytes of the file before the first step, as the tree has them
	// The history knows that the same reply was applied to this file, and the file
	// does not stand as it was before that.
	Applied bool
	Cursor  int // where the step before stopped, in bytes, for formats that go from top to bottom; 0 at first

	// The block's line endings are those of the editor or the system that it came
	// through: what the writer meant is not known.
	EndingsUnknown bool
	// Snippet is the lines, from 1, that were handed out of this file with a hash, as a
	// search does; Version is the id of an apply before or after which the file's bytes
	// had a hash. Not ok where that is not remembered. Both may be nil. They are only
	// for messages.
	Snippet func(sum string) (first, last int, ok bool)
	Version func(sum string) (apply string, before, ok bool)
	// Skipped tells of a step's part whether it is to be left out. Never nil.
	Skipped func(part text.Span) bool

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

	Places []Place // of the step's parts, or of the step where it has none

	// Unmet is what a step that did not find its place speaks of: once it is mended,
	// the steps behind it may meet that text, and not what they meet now. "" for none.
	Unmet string
}

// A Place is where a step, or a part of one, stands in its target.
type Place struct {
	At     text.Span // the step or the part, in the block's body
	Target text.Span // bytes of Target.Text: what it replaces, or where its result stands if Done
	Done   bool
}
