package agenttools

import (
	"cmp"
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
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
	Dirty   bool   // the text differs from the file on disk
	Focused bool   // the person works in this document
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

// Check checks the reply with the settings of its folder, and makes the certain repairs first if
// that is requested.
func (r Request) Check(ctx context.Context, where check.Where) (*check.Result, error) {
	where.Block = r.Block
	return check.CheckFixed(ctx, []check.Document{{Name: "reply", Text: r.Text, Format: r.Format}}, where, r.Fix)
}

// Name returns the name of the change in the history: the label of the request, the label of its
// line patches in checked, or the name of the agent, which may be empty.
func (r Request) Name(checked *check.Result, agent string) string {
	return cmp.Or(r.Label, checked.Label(cmp.Or(agent, "an agent")))
}

// NotWritten returns the refusal for an outcome that an agent cannot change but must know about.
// It returns nil for other outcomes. asked reports whether the person agreed to the change.
func NotWritten(o apply.Outcome, asked bool) error {
	if o.Refusal == nil {
		return nil
	}
	switch o.Refusal.Reason {
	case apply.FileSetDiffers:
		return Refuse("file-set-differs", "nothing was written: %s", o.Refusal.Message)
	case apply.Forbidden:
		return Refuse("not-permitted", "nothing was written: %s", o.Refusal.Message)
	case apply.Declined:
		return Refuse("declined-by-user", "nothing was written: the person saw the change and declined it; ask what they want instead")
	case apply.ChangedMeanwhile:
		if asked {
			return Refuse("changed-meanwhile", "nothing was written: files changed before the person answered; read them again, and send new edits")
		}
		return Refuse("changed-meanwhile", "nothing was written: %s; read the files again", o.Refusal.Message)
	}
	return nil
}
