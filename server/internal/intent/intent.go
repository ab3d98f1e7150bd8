// Package intent holds the changes that a block describes, as data, before any file is read. A format turns a block
// into a [Set] without a file tree. Package plan turns a Set and a file tree into a plan, whatever the format.
//
// A Set is data, including its steps: it can be printed, compared and stored.
package intent

import (
	"io/fs"
	"path"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
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

	Claims
}

// Claims holds the statements of the reply's prose about a block.
type Claims struct {
	Adds      bool // the sentence above the block speaks only of an addition
	RestStays bool // the reply says that everything else stays as it is
	OnePlace  bool // the reply says that only one place changes

	OnlyComments bool // the reply says that no code changes

	// Kept has the names and paths that the reply says stay as they are. The value is the value that a name keeps, or ""
	// if it stays as a whole.
	Kept map[string]string

	// Named has the names that are marked as code or bold in the lines above the block. Everywhere is true if these
	// lines say that the edit is meant for all places.
	Named      []string
	Everywhere bool

	// Words has the words of the prose, in lower case. A name such as `maxSize` also adds its parts. A code point such as
	// `u+00ad` is a word, too.
	Words map[string]bool
	// Numbers maps each number in the prose to another number in the same sentence, or to "" if the sentence has no other
	// number.
	Numbers map[string]string
}

// Kind is the effect of a change on its file as a whole.
type Kind int

const (
	Write     Kind = iota // create or replace the file, whether it exists or not
	Create                // the file must not exist with different content
	Replace               // the file should exist
	Delete                // delete the file; if it is missing, the change counts as done
	Edit                  // apply Steps to the text of a file, which must exist
	Rename                // move the file to To, and apply Steps to its text
	Copy                  // copy the file to To, and apply Steps to the copy
	MakeDir               // create the folder; if it exists, the change counts as done
	DeleteAll             // delete a file, or a folder with everything in it
)

// A Change is one operation on one file.
type Change struct {
	Kind    Kind
	Path    string // as written, relative to the set's root
	Other   string // another path that may be meant for an Edit, or ""
	DocPath bool   // Path is a docPath (rule R27)
	To      string // the new path of a Rename or Copy, in the same form as Path
	Content string // the whole text of a Write, Create or Replace, as the block writes it
	// Steps of an Edit, Rename or Copy apply in order; each step sees the result of the earlier ones. A Delete with
	// steps is refused if the steps leave any text.
	Steps []Step

	// Raw is true if the change sees files as git does. Content and the texts of Steps are bytes as on disk, including
	// line endings and the byte order mark. A symbolic link counts as a file that holds its target, and is never
	// followed. Folders that a deletion empties are removed, too.
	Raw bool
	// Proven is true if the block names its whole text by a hash, and the text has that
	// hash.
	Proven bool
	// OpenEnd is true if a whole text does not say whether its last line has an ending. In that case, a new file gets
	// an ending there, and an existing file keeps its last line ending, or the lack of one.
	OpenEnd bool
	// MayBePart is true if a whole text may be an excerpt of its file, because nothing in the reply rules that out. In
	// that case, a placeholder in the text is an error, Aptix asks the person if most of the file would be lost, and a
	// Replace of a missing file is refused.
	MayBePart bool
	// IsPart is true if the reply probably writes only a part of the file. If the text has a place in
	// the file, it replaces only that part, and Aptix asks the person first.
	IsPart bool
	// About lists the names of functions, types and the like that the prose above a whole text mentions. They help to
	// find the place of the text's lines in the file.
	About []string
	// Made is true if the reply is a transcript that says that the change was made. Later changes of the transcript were
	// then written for its result.
	Made bool
	// Marked is true if the notation marks each removed line, as a diff does.
	Marked bool
	// Escaped is the whole text as the block writes it, if Content is that text decoded as XML; otherwise it is "". A
	// file that already equals Escaped counts as done. Before any other change, Aptix asks the person.
	Escaped string
	// NeedsFolder is true for a Write that does not say whether the file is new. If both the file and its folder are
	// new, Aptix asks the person, unless other files of the reply name the folder (rules W6 and F11).
	NeedsFolder bool
	// MayBeInto is true for a Rename or Copy if To may name an existing folder. If it does, the file is put into that
	// folder.
	MayBeInto bool
	// MayCreate is true for an Edit that treats a missing file as an empty one.
	MayCreate bool
	// Mode is the new mode, with fs.ModeSymlink for a link; 0 keeps the current one.
	Mode fs.FileMode
	// WasMode is the type that the file must have, written like Mode; 0 allows any type. A difference in permissions
	// only causes a warning.
	WasMode fs.FileMode
	// Group is the number of a group of consecutive changes that are made as one, such as the changes of one commit; 0
	// if the change does not belong to a group. Rename and Copy read the files as they were before the group, and a
	// path that the group vacates is free. However, an Edit sees the result of an earlier Edit of the same file.
	Group int

	At        text.Span // the whole entry, in the block's body
	PathAt    Literal
	ToAt      Literal
	KindAt    Literal // the name of the operation, if the block writes it
	ContentAt Literal
	// Instead holds the fixes that turn a Create into a Replace, or a Write into a Create, if writing another name at
	// KindAt would not be enough.
	Instead []diag.Fix
}

// Into reads To as an existing folder: it returns the Rename or Copy with the file's own name appended to To.
func (c Change) Into() Change {
	c.To, c.ToAt, c.MayBeInto = path.Join(c.To, path.Base(c.Path)), Literal{}, false
	return c
}

// Segments returns the parts of a whole text between its elisions, as spans of the block's body. A person can leave
// out some of the parts. Segments returns nil if there is only one part, or if the block does not contain the text
// literally.
func (c Change) Segments() []text.Span {
	if !c.MayBePart || c.ContentAt.Span.Len() != len(c.Content) {
		return nil
	}
	parts := elision.Segments(c.Content)
	if len(parts) < 2 {
		return nil
	}
	for i := range parts {
		parts[i] = parts[i].Shift(c.ContentAt.Span.Start)
	}
	return parts
}
