// Package intent holds the changes that a block asks for, as data, before any file is read.
// A format turns a block into a [Set] and knows no file tree. Package plan turns a Set and
// a tree into a plan and knows no format.
//
// A Set is data, including its steps: it can be printed, compared and stored.
package intent

import (
	"io/fs"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Set holds the changes of one block, in order. All of its spans are bytes of the block's
// body.
type Set struct {
	Root    string // "" or "." for the workspace root; paths are relative to it
	RootAt  Literal
	Changes []Change

	// PathsRepeat is true if the format writes one change for each edit, so that several
	// changes may have the same path.
	PathsRepeat bool
}

// Kind says how a change affects its file as a whole.
type Kind int

// The kinds of change.
const (
	Write     Kind = iota // create or replace the file, whether it exists or not
	Create                // the file must not exist with other content
	Replace               // the file should exist
	Delete                // if the file does not exist, the change counts as done
	Edit                  // apply Steps to the text of a file, which must exist
	Rename                // move the file to To, and apply Steps to its text
	Copy                  // copy the file to To, and apply Steps to the copy
	MakeDir               // if the folder exists, the change counts as done
	DeleteAll             // delete a file, or a folder with everything in it
)

// A Change is one operation on one file.
type Change struct {
	Kind    Kind
	Path    string // as written, relative to the set's root
	DocPath bool   // Path is a key of a workspace's files instead (rule R27)
	To      string // of Rename and Copy: the new path, in the same form
	Content string // of Write, Create and Replace: the whole text, as written
	// Steps of an Edit, Rename or Copy apply in order; each sees the result of the ones
	// before it. A Delete with steps is refused unless they leave no text.
	Steps []Step

	// Raw changes see files as git does. Content and the texts of Steps are bytes as on
	// disk, including line endings and the byte order mark. A symbolic link counts as a
	// file that holds its target, and is never followed. Folders that a deletion empties
	// are removed, too.
	Raw bool
	// Proven is true if the block names its whole text by a hash, and the text has that
	// hash.
	Proven bool
	// OpenEnd is true if a whole text does not say whether its last line has an ending. A
	// new file gets one, and an existing file keeps its own.
	OpenEnd bool
	// MayBePart is true if a whole text may be an excerpt of its file, because nothing
	// rules that out. A placeholder in it is an error, it asks if most of the file would be
	// lost, and a Replace of a missing file is refused.
	MayBePart bool
	// Marked is true if the notation marks each removed line, as a diff does.
	Marked bool
	// Escaped is a whole text as the block writes it, if Content is the same text decoded
	// as XML. A file that already has Escaped is done, and any other change asks. Otherwise
	// it is "".
	Escaped string
	// NeedsFolder is true for a Write that does not say whether the file is new. A new file
	// is refused unless its folder exists (rule F11).
	NeedsFolder bool
	// MayCreate is true for an Edit that treats a missing file as an empty one.
	MayCreate bool
	// Mode is the new mode, with fs.ModeSymlink for a link; 0 keeps the present one.
	Mode fs.FileMode
	// WasMode is the required type of the file, in the same form; 0 allows any. Its
	// permissions are only compared for a warning.
	WasMode fs.FileMode
	// Consecutive changes of one group happen at once, as those of a commit do. Rename and
	// Copy read the files as they were before the group, and a path that the group vacates
	// is free. However, an Edit sees the result of an earlier Edit of the same file. 0 is
	// for a change of its own.
	Group int

	At        text.Span // the whole entry, in the block's body
	PathAt    Literal
	ToAt      Literal
	KindAt    Literal // the operation's name, if the block has one
	ContentAt Literal
	// Instead holds the fixes that turn a Create into a Replace, if KindAt cannot do that.
	Instead []diag.Fix
}
