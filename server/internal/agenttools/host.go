package agenttools

import (
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// A Host is where one agent's tools work: a running editor, or the disk alone. It knows
// who the agent is.
type Host interface {
	// Folders are those of the workspace with the files as they are now. All that one
	// call of a tool reads, it reads on one answer.
	Folders(context.Context) ([]Folder, error)
	// Where is how a reply about a folder is checked.
	Where(Folder) check.Where
	// Apply makes what a reply says true, all or nothing, after whoever has to be asked
	// was asked. It checks the reply itself, on the files as they are by then, and
	// brings the file set up to what was done. What it does not do is in the answer's
	// message; or a [*Refusal], where there is a code for it; or [ErrNotAccepted]. Without an
	// error, the answer's lists are never nil.
	Apply(context.Context, Request) (protocol.ApplyResult, error)
	// Preview shows a person what a reply would change, where there is one to see it;
	// false where there is not.
	Preview(context.Context, Request) (shown bool, err error)
	// Revert takes an apply back, as aptix.revert does. An id that the history does not
	// have is an error of package history. Without an error, the answer's lists are never nil.
	Revert(context.Context, protocol.RevertParams) (protocol.RevertResult, error)
	// History is nil where there is none.
	History() *history.Store
	// FileSet is nil where there is none.
	FileSet() *fileset.Set
}

// A Folder is a workspace folder, with the open documents over its files.
type Folder struct {
	docpath.Folder
	Dir    string // absolute, in the system's own spelling
	Active []Active
}

// An Active is a document that an editor has open (rule R30).
type Active struct {
	Path    string // canonical, from the folder, with slashes
	Display string // as the editor names it
	Text    string // without a BOM, with its own line endings
	Dirty   bool   // it differs from the file on disk
	Focused bool   // the person is in it
}

// A Request is a reply that an agent wants checked, shown or applied.
type Request struct {
	// Text is the reply; Format is as in [check.Document].
	Text, Format string
	Block        int    // only the block of this index, from 1; 0 for all of them
	Folder       Folder // that its paths are relative to
	Label        string // for the history; may be empty
	Fix          bool   // make the certain repairs first
	// AcceptWarnings: the agent agrees to the change although warnings ask. It counts only
	// where there is no person to ask.
	AcceptWarnings bool
}
