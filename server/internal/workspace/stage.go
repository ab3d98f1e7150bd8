package workspace

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
	err := parallel(len(c.writes), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := &c.writes[i]
		if err := c.root.stage(w); err != nil {
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

func (r *Root) stage(w *write) error {
	if w.Temp != "" {
		if err := r.at("write temp"); err != nil {
			return err
		}
		if err := r.writeTemp(w); err != nil {
			return err
		}
	}
	if w.Backup == "" {
		return nil
	}
	if err := r.at("keep backup"); err != nil {
		return err
	}
	return r.keep(w)
}

// writeTemp leaves the mode of a new file to the umask, and gives that of an old
// one exactly.
func (r *Root) writeTemp(w *write) (err error) {
	mode := w.After.Mode.Perm()
	if w.seen != nil {
		mode = 0o600
	}
	f, err := r.disk.OpenFile(w.Temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteString(w.data); err != nil {
		return err
	}
	if w.seen != nil {
		if err := likeOld(f, w.seen, w.After.Mode); err != nil {
			return err
		}
	}
	return syncData(f)
}

// likeOld gives f the owner of the old file, and mode, which a change of owner
// may have cut down.
func likeOld(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	keepOwner(f, old)
	return f.Chmod(mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// keep makes the backup: a second name of the old file where the file system has
// hard links, so that putting it back loses nothing of it, else a copy.
func (r *Root) keep(w *write) error {
	if err := r.link(w.Path, w.Backup); err != nil {
		return r.copyOld(w)
	}
	return r.syncOld(w.Backup)
}

func (r *Root) copyOld(w *write) (err error) {
	old, err := r.openFile(w.Path)
	if err != nil {
		return err
	}
	defer old.Close()
	f, err := r.disk.OpenFile(w.Backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.Copy(f, old); err != nil {
		return err
	}
	if err := likeOld(f, w.seen, w.Before.Mode); err != nil {
		return err
	}
	return syncData(f)
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
