package agenttools

import (
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// A Host carries out the work of one agent's tools, in a running editor or on the disk alone.
// It knows which agent calls.
type Host interface {
	// Folders returns the folders of the workspace with their present files. All reads during
	// one call of a tool use the result of a single Folders call.
	Folders(context.Context) ([]Folder, error)
	// Where returns the settings for checking a reply that is about a folder.
	Where(Folder) check.Where
	// Apply makes the changes of a reply, all or nothing, after asking whoever must be asked.
	// It checks the reply again, on the files as they are at that time, and updates the file
	// set. If it refuses, it returns a [*Refusal] if the reason has a code, or
	// [ErrNotAccepted]; otherwise the reason is in the answer's message. If there is no
	// error, the answer's lists are not nil.
	Apply(context.Context, Request) (protocol.ApplyResult, error)
	// Preview shows a person the changes of a reply. It returns false if nobody can see them.
	Preview(context.Context, Request) (shown bool, err error)
	// Revert takes an apply back, as aptix.revert does. For an id that is not in the
	// history, it returns an error of package history. If there is no error, the answer's
	// lists are not nil.
	Revert(context.Context, protocol.RevertParams) (protocol.RevertResult, error)
	// History returns nil if there is no history.
	History() *history.Store
	// FileSet returns nil if there is no file set.
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
	Display string // name in the editor
	Text    string // without a BOM, with its own line endings
	Dirty   bool   // it differs from the file on disk
	Focused bool   // the person works in it
}

// A Request is a reply that an agent wants to check, show or apply.
type Request struct {
	// Text is the reply; Format is as in [check.Document].
	Text, Format string
	Block        int    // only the block with this index, from 1; 0 for all blocks
	Folder       Folder // folder to which its paths are relative
	Label        string // for the history; may be empty
	Fix          bool   // make the certain repairs first
	// AcceptWarnings is true if the agent agrees to the change despite warnings that ask.
	// It counts only if there is no person to ask.
	AcceptWarnings bool
}
