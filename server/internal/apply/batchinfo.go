package apply

import (
	"context"
	"io/fs"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// PatchChange returns the line patch in the history that has the given id, or that has a part with this id. The id is a
// batchId, a filePatchId or a changeId (rule L24). For a root that is open in this program, `seen` returns its tree,
// with the unsaved text of open documents. If `seen` is nil or returns nil, the files are read from disk. The error is
// [history.ErrNoBatch] if no line patch has the id, or an error of reading a file.
func PatchChange(ctx context.Context, h *history.Store, id string, seen func(root string) fs.FS) (protocol.PatchChangeInfo, error) {
	id = strings.ToLower(id)
	apply, batch, err := h.Batch(ctx, id)
	if err != nil {
		return protocol.PatchChangeInfo{}, err
	}
	info := protocol.PatchChangeInfo{ID: id, Status: protocol.PatchApplied, Files: []protocol.PatchedFile{},
		Apply: apply.ID, Time: apply.Time.UTC().Format(time.RFC3339Nano), Root: apply.Root}
	if apply.Reverted {
		info.Status = protocol.PatchReverted
	}
	info.Of, info.Batch = named(batch, id)
	standing, err := standingOf(ctx, h, apply, seen)
	if err != nil {
		return protocol.PatchChangeInfo{}, err
	}
	for _, f := range info.Batch.Files {
		info.Files = append(info.Files, protocol.PatchedFile{Path: f.Path, Standing: standing(f.Path)})
	}
	return info, nil
}

// named finds the part of a line patch with the given id. It returns the kind of the part, and the patch reduced to
// that part.
func named(b protocol.Batch, id string) (protocol.PatchPart, protocol.Batch) {
	for _, f := range b.Files {
		if f.FilePatchID == id {
			b.Files = []protocol.FilePatch{f}
			return protocol.PatchFile, b
		}
		for _, c := range f.Changes {
			if c.ChangeID == id {
				f.Changes = []protocol.PatchChange{c}
				b.Files = []protocol.FilePatch{f}
				return protocol.PatchLines, b
			}
		}
	}
	return protocol.PatchBatch, b
}

func standingOf(ctx context.Context, h *history.Store, apply history.Apply, seen func(root string) fs.FS) (func(path string) protocol.PatchStanding, error) {
	tree, end := treeOf(apply.Root, seen)
	defer end()
	standing := map[string]history.Standing{}
	if tree != nil {
		var err error
		standing, err = h.StandingOf(ctx, apply.ID, func(path string) (text.Content, error) { return check.Current(tree, path) })
		if err != nil {
			return nil, err
		}
	}
	return func(path string) protocol.PatchStanding {
		switch s, ok := standing[path]; {
		case !ok:
			return protocol.StandsUnknown
		case s == history.Left:
			return protocol.StandsAsLeft
		case s == history.Undone:
			return protocol.StandsUndone
		}
		return protocol.StandsEdited
	}, nil
}

// treeOf returns the tree of a folder, or nil if the folder cannot be opened. If the folder is open in this program,
// the tree has the unsaved text. The caller must call `end` after the last use of the tree.
func treeOf(dir string, seen func(root string) fs.FS) (tree fs.FS, end func()) {
	if seen != nil {
		if tree := seen(dir); tree != nil {
			return tree, func() {}
		}
	}
	root, err := disk.Open(dir)
	if err != nil {
		return nil, func() {}
	}
	return root.Tree(nil), func() { _ = root.Close() }
}
