package agenttools

import (
	"cmp"
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
)

// A Host carries out the tool calls of one agent, in a running editor or on the disk alone.
type Host interface {
	// Folders returns the folders of the workspace with their current files. A tool calls Folders only once per call,
	// and reads all files from its result.
	Folders(context.Context) ([]Folder, error)
	// Where returns the settings for checking a reply against a folder.
	Where(Folder) check.Where
	// Apply makes all changes of a reply, or none, and asks the person first if necessary. It checks the reply again
	// with the current files, and updates the file set. If it refuses for a reason with a code, the error is a
	// [*Refusal]. If nobody accepted the doubts, the error is [ErrNotAccepted]. If it refuses for any other reason, the
	// message of the result explains why. Without an error, the lists in the result are not nil.
	Apply(context.Context, Request) (protocol.ApplyResult, error)
	// Preview shows the changes of a reply to a person. It returns false if no person can see them.
	Preview(context.Context, Request) (shown bool, err error)
	// Revert changes the files back, like aptix.revert. For an unknown id, it returns the error of package history.
	// Without an error, the lists in the result are not nil.
	Revert(context.Context, protocol.RevertParams) (protocol.RevertResult, error)
	// History returns the history, or nil if there is none.
	History() *history.Store
	// FileSet returns the file set, or nil if there is none.
	FileSet() *fileset.Set
}

// A Folder is a workspace folder, with the open documents of its files.
type Folder struct {
	paths.Folder
	Dir    string // absolute, with the separators of the operating system
	Active []Active
}

// An Active is a document that an editor has open (rule R30).
type Active struct {
	Path    string // canonical, relative to the folder, with slashes
	Display string // the name in the editor
	Text    string // the text without a byte order mark, with its current line endings
	Dirty   bool   // whether the text differs from the file on disk
	Focused bool   // whether the person works in this document
}

// A Request is a reply that an agent wants to check, show or apply.
type Request struct {
	// Text is the reply. Format has the meaning of [check.Document.Format].
	Text, Format string
	Block        int    // the number of the only block to use, from 1; 0 for all blocks
	Folder       Folder // the folder to which the paths in the reply are relative
	Label        string // the label of the change in the history, or ""
	Fix          bool   // whether to make the fixes that are certain first
	// AcceptWarnings is true if the agent accepts warnings about which a person would be asked. It has an effect only
	// if no person can be asked.
	AcceptWarnings bool
}

// Check checks the reply with the settings of its folder. If Fix is true, it first makes the fixes that are certain.
func (r Request) Check(ctx context.Context, where check.Where) (*check.Result, error) {
	where.Block = r.Block
	return check.CheckFixed(ctx, []check.Document{{Name: "reply", Text: r.Text, Format: r.Format}}, where, r.Fix)
}

// Name returns the name of the change in the history: the request's label, else the labels of the line patches in
// `checked`, else the agent's name, else "an agent".
func (r Request) Name(checked *check.Result, agent string) string {
	return cmp.Or(r.Label, checked.Label(cmp.Or(agent, "an agent")))
}

// NotWritten returns a refusal if nothing was written for a reason that the agent cannot change but must be told, and
// otherwise nil. `asked` is true if the person agreed to the change.
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
