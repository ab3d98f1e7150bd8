package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

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

func (c *commit) each(which func(*write) bool, do func(*hand, *write) error) error {
	h := &hand{root: c.root}
	defer h.drop()
	for i := range c.writes {
		w := &c.writes[i]
		if !which(w) {
			continue
		}
		if err := c.root.at("apply"); err != nil {
			return err
		}
		if err := do(h, w); err != nil {
			if _, ok := errors.AsType[*ChangedError](err); ok {
				return err // names the file itself
			}
			return fmt.Errorf("%s: %w", w.Path, err)
		}
		w.done = true
	}
	return nil
}

func (c *commit) delete(h *hand, w *write) error {
	if err := unchanged(h, w); err != nil {
		return err
	}
	return h.remove(w.Path)
}

func (c *commit) put(h *hand, w *write) error {
	if w.Before == nil {
		dir, temp, name, err := h.both(w.Temp, w.Path)
		if err == nil {
			err = c.root.place(dir, temp, name)
		}
		if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
			return justNow(w, "something else is there now")
		}
		return err
	}
	if err := unchanged(h, w); err != nil {
		return err
	}
	dir, temp, name, err := h.both(w.Temp, w.Path)
	if err != nil {
		return err
	}
	return dir.Rename(temp, name)
}

// unchanged looks a last time, as near to the change as can be. It also finds
// that an op before wrote this very file under a name that differs in case.
func unchanged(h *hand, w *write) error {
	now, err := h.lstat(w.Path)
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
func (r *Root) place(dir *os.Root, from, to string) error {
	err := r.link(dir, from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links.
	if _, err := dir.Lstat(to); !fspath.Missing(err) {
		return errors.Join(fs.ErrExist, err)
	}
	return dir.Rename(from, to)
}

// pruneDirs removes what the deletes emptied. A directory that still holds
// something stays, which is a failure only where it must go.
func (c *commit) pruneDirs() error {
	for _, dir := range slices.Backward(c.journal.Pruned) {
		if err := c.root.at("prune"); err != nil {
			return err
		}
		switch err := c.root.removeDir(dir.Path); {
		case err == nil:
			c.removed = append(c.removed, dir.Path)
		case !c.must[dir.Path]:
		case errors.Is(err, fs.ErrExist):
			return &ChangedError{[]Changed{{dir.Path, "it holds something else now"}}}
		default:
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	slices.Reverse(c.removed)
	return nil
}

func (c *commit) makeDirs() error {
	for i, dir := range c.journal.Made {
		if err := c.root.at("make directory"); err != nil {
			return err
		}
		if err := c.root.mkdir(dir); err != nil {
			c.journal.Made = c.journal.Made[:i] // the others are not ours to remove
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

func (r *Root) mkdir(name string) error {
	if err := r.straight(name); err != nil {
		return err
	}
	return r.disk.Mkdir(name, 0o777)
}

// removeDir removes a directory if it is empty; else the error is [fs.ErrExist].
func (r *Root) removeDir(name string) error {
	if err := r.straight(name); err != nil {
		return err
	}
	info, err := r.disk.Lstat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return err
	}
	return r.disk.Remove(name)
}
