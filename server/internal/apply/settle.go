package apply

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The sources of applies whose files may be unsaved in an editor: changes that the person
// made there, and changes that an agent asked for and the person agreed to.
const (
	SourceEditor = "lsp"
	SourceAgent  = "agent"
)

// Settle makes the history agree with the trees after a crash between an apply and its record. recovered is the
// result of [disk.Recover] at this start. If it does not mention a pending apply, the files show whether the
// apply was made. seen returns the tree of a root that is open in this program, including unsaved text, or nil
// for other roots. It may be nil itself.
//
// An apply remains undecided as long as its root is missing or not restored. An apply of an
// editor that left no trace on disk remains undecided until that editor's server calls
// Settle.
func Settle(ctx context.Context, h *history.Store, stateDir string, recovered []disk.Recovered, seen func(root string) fs.FS) error {
	if h == nil {
		return nil
	}
	abandoned, err := h.Abandoned(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range abandoned {
		errs = append(errs, settle(ctx, p, stateDir, recovered, seen))
	}
	return errors.Join(errs...)
}

func settle(ctx context.Context, p *history.Pending, stateDir string, recovered []disk.Recovered, seen func(root string) fs.FS) error {
	root, err := disk.Open(p.Root)
	if err != nil {
		p.Leave() // the root may be on a drive that comes back
		return nil
	}
	defer root.Close()
	inEditor := p.Source == SourceEditor || p.Source == SourceAgent
	i := slices.IndexFunc(recovered, func(r disk.Recovered) bool { return r.ID == p.ID })
	if i >= 0 && (recovered[i].Done || !inEditor) { // the editor may have changed its texts even if the disk was restored
		return end(ctx, p, recovered[i].Done, root.Tree(nil))
	}
	if interrupted, err := root.Interrupted(stateDir); interrupted || err != nil {
		p.Leave()
		return err
	}
	tree, sure := fs.FS(root.Tree(nil)), !inEditor
	if seen != nil {
		if open := seen(p.Root); open != nil {
			tree, sure = open, true
		}
	}
	standing, err := p.Standing(ctx, func(path string) (text.Content, error) { return check.Current(tree, path) })
	if err != nil {
		p.Leave()
		return err
	}
	for _, s := range standing {
		if s == history.Left {
			return end(ctx, p, true, tree)
		}
	}
	if !sure {
		p.Leave()
		return nil
	}
	return end(ctx, p, false, tree)
}

// If the apply was made, end finishes its record, with those of the expected folders that were really
// created or removed. Otherwise it drops the record.
func end(ctx context.Context, p *history.Pending, done bool, tree fs.FS) error {
	if !done {
		return p.Drop(ctx)
	}
	made, pruned, err := p.Folders(ctx)
	if err != nil {
		p.Leave()
		return err
	}
	return p.Finish(ctx, made, slices.DeleteFunc(pruned, func(dir string) bool { return isFolder(tree, dir) }))
}

func isFolder(tree fs.FS, name string) bool {
	info, err := fs.Lstat(tree, name)
	return err == nil && info.IsDir()
}
