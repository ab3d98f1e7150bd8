package agenttools

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// A changeInput names a line patch, or a part of a line patch, by any of its ids.
type changeInput struct {
	ID          string `json:"id,omitempty" jsonschema:"A batchId, a filePatchId or a changeId. Give either this or one of the other three."`
	BatchID     string `json:"batchId,omitempty" jsonschema:"The id of a whole patch."`
	FilePatchID string `json:"filePatchId,omitempty" jsonschema:"The id of the changes of one file."`
	ChangeID    string `json:"changeId,omitempty" jsonschema:"The id of one change."`
}

// id returns the id of the smallest part that the input names.
func (in changeInput) id() string { return cmp.Or(in.ID, in.ChangeID, in.FilePatchID, in.BatchID) }

var getPatchChange = define(Tool{
	Name: "get_patch_change", Title: "Look up a line patch", ReadOnly: true,
	Description: "Look up a line patch, its changes to one file, or a single change. Pass the id that workspace_write_patch returned. " +
		"The answer gives the effect and the reason, says whether the change is applied or reverted, and has the current state of its files. The ids are valid in later conversations too.",
}, func(ctx context.Context, host Host, in changeInput) (protocol.PatchChangeInfo, []protocol.ToolMessage, error) {
	if in.id() == "" {
		return protocol.PatchChangeInfo{}, nil, Refuse("bad-arguments", "\"id\" is missing: a batchId, a filePatchId or a changeId")
	}
	store := host.History()
	if store == nil {
		return protocol.PatchChangeInfo{}, nil, Refuse("no-history", "the history cannot be opened, so earlier patches are unknown")
	}
	folders, err := host.Folders(ctx)
	if err != nil {
		return protocol.PatchChangeInfo{}, nil, err
	}
	tree := seen(folders)
	info, err := apply.PatchChange(ctx, store, in.id(), tree)
	// The agent must not see changes in other folders of this machine.
	if errors.Is(err, history.ErrNoBatch) || err == nil && tree(info.Root) == nil {
		return protocol.PatchChangeInfo{}, nil, Refuse("unknown-id", "the history of the open folders has no line patch, and no part of one, with the id %q", in.id())
	}
	return info, nil, err
})

// seen returns a function that looks up the tree of a root, or returns nil if the root is not an open folder.
func seen(folders []Folder) func(root string) fs.FS {
	return func(root string) fs.FS {
		for _, f := range folders {
			if f.Dir == root {
				return f.Tree
			}
		}
		return nil
	}
}
