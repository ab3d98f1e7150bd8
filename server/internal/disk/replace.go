package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// changeTree moves the new files into place. It deletes files before it creates others, so that a directory can replace
// a file, or a file a directory.
func (c *commit) changeTree() error {
	if err := c.each(func(w *write) bool { return w.After == nil }, deleteFile); err != nil {
		return err
	}
	if err := c.pruneDirs(); err != nil {
		return err
	}
	if err := c.makeDirs(); err != nil {
		return err
	}
	if err := c.each(func(w *write) bool { return w.After != nil }, putFile); err != nil {
		return err
	}
	return c.root.syncDirs(c.journal.changedDirs())
}

func (c *commit) each(which func(*write) bool, change func(*lastDir, *write) error) error {
	last := lastDir{root: c.root}
	defer last.close()
	for i := range c.writes {
		w := &c.writes[i]
		if !which(w) {
			continue
		}
		if err := change(&last, w); err != nil {
			if _, ok := errors.AsType[*ChangedError](err); ok {
				// This error already names the file.
				return err
			}
			return fmt.Errorf("%s: %w", w.Path, err)
		}
		w.done = true
	}
	return nil
}

func deleteFile(last *lastDir, w *write) error {
	if err := unchanged(last, w); err != nil {
		return err
	}
	return last.remove(w.Path)
}

func putFile(last *lastDir, w *write) error {
	if w.Before == nil {
		return createFile(last, w)
	}
	if err := unchanged(last, w); err != nil {
		return err
	}
	dir, temp, name, err := last.openBoth(w.Temp, w.Path)
	if err != nil {
		return err
	}
	return last.root.rename(dir, temp, name)
}

func createFile(last *lastDir, w *write) error {
	dir, temp, name, err := last.openBoth(w.Temp, w.Path)
	if err == nil {
		err = last.root.linkNew(dir, temp, name)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return changedError(w.Path, "another file is at that path now")
	}
	return err
}

// unchanged returns a [ChangedError] if the file of `w` has changed since it was compared. It is called immediately
// before the file is changed. It therefore also notices that an earlier op of the transaction has just written the same
// file under a name that differs in case.
func unchanged(last *lastDir, w *write) error {
	now, err := last.lstat(w.Path)
	if fspath.Missing(err) {
		return changedError(w.Path, "it is gone")
	}
	if err != nil {
		return err
	}
	if !os.SameFile(now, w.seen) || now.Size() != w.seen.Size() || !now.ModTime().Equal(w.seen.ModTime()) || now.Mode() != w.seen.Mode() {
		return changedError(w.Path, "it has just been written")
	}
	if !w.recent {
		return nil
	}
	// The file may have the same time and size after another change, so its content is compared again.
	if v, err := last.root.version(w.Path); err != nil || v == nil || !v.sameContent(w.Before) {
		return cmp.Or(err, changedError(w.Path, "it has just been written"))
	}
	return nil
}

func changedError(path, how string) error { return &ChangedError{[]Changed{{path, how}}} }

// linkNew gives a file a new name, and fails if that name exists. It makes a hard link, because a rename could replace
// another file. The caller removes the old name later.
func (r *Root) linkNew(dir *os.Root, from, to string) error {
	err := r.hardLink(dir, from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// If the name is free and the link failed, the file system has no hard links.
	if _, err := dir.Lstat(to); !fspath.Missing(err) {
		return errors.Join(fs.ErrExist, err)
	}
	return r.rename(dir, from, to)
}

// pruneDirs removes the directories that are empty after the deletions. It returns an error if a directory that must be
// removed is not empty.
func (c *commit) pruneDirs() error {
	for _, dir := range slices.Backward(c.journal.Pruned) {
		switch err := c.root.removeDir(dir.Path); {
		case err == nil:
			c.removed = append(c.removed, dir.Path)
		case !c.mustRemove[dir.Path]:
		case errors.Is(err, fs.ErrExist):
			return changedError(dir.Path, "its contents have changed")
		default:
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	slices.Reverse(c.removed)
	return nil
}

func (c *commit) makeDirs() error {
	for i, dir := range c.journal.Made {
		if err := c.root.mkdir(dir); err != nil {
			// A rollback must remove only the directories that were made.
			c.journal.Made = c.journal.Made[:i]
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}
