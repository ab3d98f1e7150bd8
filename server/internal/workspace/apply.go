package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// apply changes the tree: first what goes, then what comes, so that a file can
// become a directory and the other way round.
func (c *commit) apply() error {
	if err := c.each(func(w *write) bool { return w.After == nil }, c.delete); err != nil {
		return err
	}
	if err := c.pruneDirs(); err != nil {
		return err
	}
	if err := c.makeDirs(); err != nil {
		return err
	}
	if err := c.each(func(w *write) bool { return w.After != nil }, c.put); err != nil {
		return err
	}
	if err := c.root.at("sync applied"); err != nil {
		return err
	}
	return c.root.syncDirs(c.journal.touched())
}

func (c *commit) each(which func(*write) bool, do func(*write) error) error {
	for i := range c.writes {
		w := &c.writes[i]
		if !which(w) {
			continue
		}
		if err := c.root.at("apply"); err != nil {
			return err
		}
		if err := do(w); err != nil {
			if _, ok := errors.AsType[*ChangedError](err); ok {
				return err // names the file itself
			}
			return fmt.Errorf("%s: %w", w.Path, err)
		}
		w.done = true
	}
	return nil
}

func (c *commit) delete(w *write) error {
	if err := c.unchanged(w); err != nil {
		return err
	}
	return c.root.disk.Remove(w.Path)
}

func (c *commit) put(w *write) error {
	if w.Before == nil {
		err := c.root.place(w.Temp, w.Path)
		if errors.Is(err, fs.ErrExist) {
			return justNow(w, "something else is there now")
		}
		return err
	}
	if err := c.unchanged(w); err != nil {
		return err
	}
	return c.root.disk.Rename(w.Temp, w.Path)
}

// unchanged looks a last time, as near to the change as can be. It also finds
// that an op before wrote this very file under a name that differs in case.
func (c *commit) unchanged(w *write) error {
	now, err := c.root.disk.Lstat(w.Path)
	if fspath.Missing(err) {
		return justNow(w, "it is gone")
	}
	if err != nil {
		return err
	}
	if !os.SameFile(now, w.seen) || now.Size() != w.seen.Size() || !now.ModTime().Equal(w.seen.ModTime()) || now.Mode() != w.seen.Mode() {
		return justNow(w, "it was written just now")
	}
	return nil
}

func justNow(w *write, how string) error { return &ChangedError{[]Changed{{w.Path, how}}} }

// place gives a file the name to, where nothing may be: unlike a rename, a link
// replaces nothing. The old name goes when the transaction is cleaned up.
func (r *Root) place(from, to string) error {
	err := r.link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links.
	if _, err := r.disk.Lstat(to); !fspath.Missing(err) {
		return errors.Join(fs.ErrExist, err)
	}
	return r.disk.Rename(from, to)
}

// pruneDirs removes what the deletes emptied. A directory that still holds
// something stays, which is no failure.
func (c *commit) pruneDirs() error {
	for _, dir := range slices.Backward(c.journal.Pruned) {
		if err := c.root.at("prune"); err != nil {
			return err
		}
		c.root.removeDir(dir.Path)
	}
	return nil
}

func (c *commit) makeDirs() error {
	for i, dir := range c.journal.Made {
		if err := c.root.at("make directory"); err != nil {
			return err
		}
		if err := c.root.disk.Mkdir(dir, 0o777); err != nil {
			c.journal.Made = c.journal.Made[:i] // the others are not ours to remove
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

// removeDir removes a directory if it is empty.
func (r *Root) removeDir(name string) {
	if info, err := r.disk.Lstat(name); err == nil && info.IsDir() {
		_ = r.disk.Remove(name)
	}
}
