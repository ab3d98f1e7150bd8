package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// at is asked before each step on disk.
func (r *Root) at(step string) error {
	if r.step == nil {
		return nil
	}
	return r.step(step)
}

// stage writes every new content and keeps every old one, beside the files. None
// of these is touched, and all is on disk for good when it returns.
func (c *commit) stage(ctx context.Context) error {
	err := c.root.inHand(len(c.writes), syncers, func(h *hand, i int) error {
		w := &c.writes[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := (stager{h}).stage(w); err != nil {
			return fmt.Errorf("%s: %w", w.Path, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.root.at("sync staged"); err != nil {
		return err
	}
	return c.root.syncDirs(c.journal.holders())
}

// A stager writes what is kept beside the files.
type stager struct{ *hand }

func (s stager) stage(w *write) error {
	if w.Temp != "" {
		if err := s.root.at("write temp"); err != nil {
			return err
		}
		if err := s.writeTemp(w); err != nil {
			return err
		}
	}
	if w.Backup == "" {
		return nil
	}
	if err := s.root.at("keep backup"); err != nil {
		return err
	}
	return s.keep(w)
}

// writeTemp leaves the mode of a new file to the umask, and gives that of an old
// one exactly.
func (s stager) writeTemp(w *write) error {
	dir, temp, err := s.at(w.Temp)
	if err != nil {
		return err
	}
	if w.After.Mode.Type() == fs.ModeSymlink {
		return stageLink(dir, w, w.data, temp)
	}
	mode := w.After.Mode.Perm()
	if w.replaces() {
		mode = 0o600
	}
	return s.write(dir, temp, mode, func(f *os.File) error {
		if _, err := f.WriteString(w.data); err != nil {
			return err
		}
		switch {
		case w.replaces():
			return likeOld(f, w.seen, w.After.Mode)
		case w.seen != nil:
			keepOwner(f, w.seen)
		}
		return nil
	})
}

// write makes a file that fill writes.
func (s stager) write(dir *os.Root, name string, mode fs.FileMode, fill func(*os.File) error) (err error) {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := fill(f); err != nil {
		return err
	}
	return syncData(f)
}

// stageLink makes a link beside the path of w. What a link holds is on disk with
// the directory that names it.
func stageLink(dir *os.Root, w *write, target, name string) error {
	if err := makeLink(dir, target, name); err != nil {
		return err
	}
	if w.seen != nil {
		keepLinkOwner(dir, name, w.seen)
	}
	return nil
}

// likeOld gives f the owner of the old file, and mode, which a change of owner
// may have cut down.
func likeOld(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	keepOwner(f, old)
	return f.Chmod(mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// keep makes the backup: a second name of the old file where the file system has
// hard links, so that putting it back loses nothing of it, else a copy.
func (s stager) keep(w *write) error {
	dir, name, backup, err := s.both(w.Path, w.Backup)
	if err != nil {
		return err
	}
	isLink := w.Before.Mode.Type() == fs.ModeSymlink
	switch err := s.root.link(dir, name, backup); {
	case err == nil && isLink:
		return nil
	case err == nil:
		return syncOld(dir, backup)
	case isLink:
		return copyLink(dir, w, name, backup)
	}
	return s.copyOld(dir, w, name, backup)
}

func copyLink(dir *os.Root, w *write, name, backup string) error {
	target, err := readLink(dir, name)
	if err != nil {
		return err
	}
	return stageLink(dir, w, target, backup)
}

func (s stager) copyOld(dir *os.Root, w *write, name, backup string) error {
	old, err := openSeen(dir, name, w.seen, errNotRegular)
	if err != nil {
		return err
	}
	defer old.Close()
	return s.write(dir, backup, 0o600, func(f *os.File) error {
		if _, err := io.Copy(f, old); err != nil {
			return err
		}
		return likeOld(f, w.seen, w.Before.Mode)
	})
}

// holders is the directories of the temps and backups.
func (j *journal) holders() []string {
	var dirs []string
	seen := map[string]bool{}
	for i := range j.Ops {
		for _, name := range []string{j.Ops[i].Temp, j.Ops[i].Backup} {
			if dir := path.Dir(name); name != "" && !seen[dir] {
				seen[dir] = true
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// touched is every directory whose entries the transaction changes.
func (j *journal) touched() []string {
	dirs := j.holders()
	seen := map[string]bool{}
	for _, dir := range dirs {
		seen[dir] = true
	}
	add := func(name string) {
		if dir := path.Dir(name); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	for i := range j.Ops {
		add(j.Ops[i].Path)
	}
	for _, dir := range j.Made {
		add(dir)
	}
	for _, dir := range j.Pruned {
		add(dir.Path)
	}
	return dirs
}
