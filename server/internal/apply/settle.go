package apply

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Sources of applies whose files may be unsaved in an editor: changes that a person made in the editor, and changes
// that an agent requested and a person agreed to.
const (
	SourceEditor = "lsp"
	SourceAgent  = "agent"
)

func inEditor(source string) bool { return source == SourceEditor || source == SourceAgent }

// Settle makes the history agree with the files after a crash. For each pending apply, it finds out whether the apply
// was made: from `recovered`, the result of [disk.Recover] at this start, or else from the files. [PatchChange]
// explains `seen`.
//
// An apply stays pending while its root is missing or not restored. If an apply by an editor left no trace on disk, it
// stays pending until the server of that editor calls Settle.
func Settle(ctx context.Context, h *history.Store, stateDir string, recovered []disk.Recovered, seen func(root string) fs.FS) error {
	if h == nil {
		return nil
	}
	abandoned, err := h.Abandoned(ctx)
	if err != nil {
		return err
	}
	errs := text.Each(abandoned, func(p *history.Pending) error { return settle(ctx, p, stateDir, recovered, seen) })
	return errors.Join(errs...)
}

func settle(ctx context.Context, p *history.Pending, stateDir string, recovered []disk.Recovered, seen func(root string) fs.FS) error {
	root, err := disk.Open(p.Root)
	if err != nil {
		// Keep the pending apply, because the root may be on a drive that comes back later.
		p.Leave()
		return nil
	}
	defer root.Close()
	inEditor := inEditor(p.Source)
	i := slices.IndexFunc(recovered, func(r disk.Recovered) bool { return r.ID == p.ID })
	// Even if the disk was restored, the editor may have made its part of the change.
	if i >= 0 && (recovered[i].Done || !inEditor) {
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

// end finishes the record of an apply that was made, with the folders that were created and removed. If the apply was
// not made, end removes the record.
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

// Recover undoes changes that a crash interrupted, and passes messages about them to `say`. A tree that cannot be
// restored can still be read, but no program changes it.
func Recover(stateDir string, say func(string), asked ...string) []disk.Recovered {
	done, err := disk.Recover(stateDir, asked...)
	if err != nil {
		say(err.Error())
	}
	for _, r := range done {
		switch left := r.Leftover(); {
		case left != "":
			say(left)
		case r.Done:
			say(r.Root + ": an earlier change was interrupted after all files were written; the change is kept")
		default:
			say(fmt.Sprintf("%s: an earlier change was interrupted; %d files were restored", r.Root, len(r.Restored)))
			for _, l := range r.Left {
				say(l.String())
			}
		}
	}
	return done
}

// OpenHistory opens the history. A damaged history is moved aside, and `say` gets a message about that.
func OpenHistory(stateDir string, say func(string)) (*history.Store, error) {
	h, err := history.Open(stateDir)
	if err == nil && h.Aside != "" {
		say(fmt.Sprintf("the history was damaged: it was moved to %s, and a new history was created", h.Aside))
	}
	return h, err
}
