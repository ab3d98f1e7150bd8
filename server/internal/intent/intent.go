// Package intent has what a block wants changed, as data, before any file is read. A
// format turns a block into a [Set] and knows no file tree; package plan turns a Set and a
// tree into a plan and knows no format.
//
// A Set is data, its steps included: it can be printed, compared and kept.
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

	// The format writes one change per edit, so that several changes may have the same path.
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
	// Proven is for a whole text whose block names what it is, by a hash that it has.
	Proven bool
	// OpenEnd is for a whole text that does not say whether its last line ends: it does
	// in a new file, and an existing file keeps what it has.
	OpenEnd bool
	// MayBePart is for a whole text that may be an excerpt of its file, as nothing says that
	// it is not: a placeholder in it is an error, it asks where most of the file would go, and
	// a Replace of a file that is not there is refused.
	MayBePart bool
	// Marked: the notation marks each line that goes, as a diff does.
	Marked bool
	// Escaped is a whole text as the block writes it, where Content is what it is as XML: a file
	// that has Escaped is done, and any other change asks. "" for no such text.
	Escaped string
	// NeedsFolder is for a Write that does not say whether the file is new: a new one is refused
	// unless its folder is there (rule F11).
	NeedsFolder bool
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
	// Instead is, of a Create that KindAt does not make a Replace, how the block says that.
	Instead []diag.Fix
}
