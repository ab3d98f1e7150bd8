package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// An undoing puts the old tree back, from any point of a transaction or of an
// earlier undoing. It goes by what stands on disk alone: a file that is neither
// as before nor as after is somebody else's work, and left.
type undoing struct {
	root     *Root
	journal  *journal
	restored []string
	left     []Left
	errs     []error
}

// undo goes back the way of [commit.apply]. It does what it can, and answers with
// all that failed; the backups are there until nothing does.
func (r *Root) undo(j *journal) (*undoing, error) {
	u := &undoing{root: r, journal: j}
	u.each(func(e *entry) bool { return e.After != nil }, u.takeBack)
	for _, dir := range slices.Backward(j.Made) {
		u.do(dir, "remove directory", func() error { _ = r.removeDir(dir); return nil })
	}
	for _, dir := range j.Pruned {
		u.do(dir.Path, "remake directory", func() error { return u.remake(dir) })
	}
	u.each(func(e *entry) bool { return e.After == nil }, u.restore)
	if len(u.errs) == 0 {
		u.errs = append(u.errs, r.clean(j, u.left))
	}
	return u, errors.Join(u.errs...)
}

func (u *undoing) each(which func(*entry) bool, do func(*entry) error) {
	for i := range slices.Backward(u.journal.Ops) {
		if e := &u.journal.Ops[i]; which(e) {
			u.do(e.Path, "undo", func() error { return do(e) })
		}
	}
}

func (u *undoing) do(path, step string, f func() error) {
	err := u.root.at(step)
	if err == nil {
		err = f()
	}
	if err != nil {
		u.errs = append(u.errs, fmt.Errorf("%s: %w", path, err))
	}
}

// takeBack undoes a create or a modify.
func (u *undoing) takeBack(e *entry) error {
	now, err := u.root.version(e.Path)
	switch {
	case err != nil:
		return err
	case e.is(now, e.Before), e.Before == nil && now.isDir():
		return nil // a directory that was to give way to the file is no file either
	case !e.is(now, e.After):
		return u.leave(e)
	case e.Before == nil:
		err = u.root.disk.Remove(e.Path)
	default:
		if sound, err := u.sound(e); err != nil || !sound {
			return errors.Join(err, u.leave(e))
		}
		err = u.root.disk.Rename(e.Backup, e.Path)
	}
	if err == nil {
		u.restored = append(u.restored, e.Path)
	}
	return err
}

// restore undoes a delete.
func (u *undoing) restore(e *entry) error {
	now, err := u.root.version(e.Path)
	switch {
	case err != nil:
		return err
	case e.is(now, e.Before):
		return nil
	case now != nil:
		return u.leave(e)
	}
	if sound, err := u.sound(e); err != nil || !sound {
		return errors.Join(err, u.leave(e))
	}
	err = u.putBack(e)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return u.leave(e) // somebody made something else there
	}
	if err == nil {
		u.restored = append(u.restored, e.Path)
	}
	return err
}

func (u *undoing) putBack(e *entry) error {
	if err := u.root.straight(e.Path); err != nil {
		return err
	}
	if err := u.root.disk.MkdirAll(path.Dir(e.Path), 0o777); err != nil {
		return err
	}
	return u.root.place(u.root.disk, e.Backup, e.Path)
}

// sound reports whether the backup holds what it should.
func (u *undoing) sound(e *entry) (bool, error) {
	kept, err := u.root.version(e.Backup)
	return err == nil && kept != nil && kept.like(e.Before), err
}

// leave notes a file that somebody else wrote, unless nothing of ours was ever
// there.
func (u *undoing) leave(e *entry) error {
	if u.untouched(e) {
		return nil
	}
	l := Left{Path: e.Path}
	if e.Backup != "" {
		kept, err := u.root.version(e.Backup)
		if err != nil {
			return err
		}
		if kept != nil {
			l.Backup = e.Backup
		}
	}
	u.left = append(u.left, l)
	return nil
}

// untouched reports whether the turn of e never came: the old file itself stands
// there still, with another content, or the new one waits for its place. False
// where that cannot be told.
func (u *undoing) untouched(e *entry) bool {
	if e.Before == nil {
		return false
	}
	if e.After != nil {
		if _, err := u.root.disk.Lstat(e.Temp); err == nil {
			return true
		}
	}
	old, err := u.root.disk.Lstat(e.Backup)
	now, err2 := u.root.disk.Lstat(e.Path)
	return err == nil && err2 == nil && os.SameFile(old, now)
}

// remake makes a directory again that was pruned.
func (u *undoing) remake(dir folder) error {
	err := u.root.straight(dir.Path)
	if err == nil {
		err = u.root.disk.Mkdir(dir.Path, dir.Mode.Perm()) // with its mode at once: a crash may follow
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil // whatever is there, it is not ours
	}
	if err != nil {
		return err
	}
	return u.root.disk.Chmod(dir.Path, dir.Mode.Perm())
}

// clean removes what lies beside the files, but for the backups of those in left.
// A temp outlives its backup, for untouched to ask.
func (r *Root) clean(j *journal, left []Left) error {
	kept := map[string]bool{}
	for _, l := range left {
		kept[l.Backup] = true
	}
	err := r.inHand(len(j.Ops), workers(), func(h *hand, i int) error {
		for _, name := range []string{j.Ops[i].Backup, j.Ops[i].Temp} {
			if name == "" || kept[name] {
				continue
			}
			if err := r.at("clean"); err != nil {
				return err
			}
			if err := h.remove(name); err != nil && !fspath.Missing(err) {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = r.at("sync cleaned")
	}
	if err != nil {
		return err
	}
	return r.syncDirs(j.touched())
}

// version is what stands under a name: nil for nothing, also where the name leads
// through a link. What is neither a file nor a link is like no version.
func (r *Root) version(name string) (*version, error) {
	var info fs.FileInfo
	err := r.straight(name)
	if err == nil {
		info, err = r.disk.Lstat(name)
	}
	switch {
	case fspath.Missing(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode().Type() == fs.ModeSymlink:
		target, err := readLink(r.disk, name)
		v := versionOf(info.Mode())
		v.SHA256 = digest(target)
		return v, err
	case !info.Mode().IsRegular():
		return &version{SHA256: kind(info), Mode: info.Mode()}, nil
	}
	return r.fileVersion(name, info.Mode())
}

func (r *Root) fileVersion(name string, mode fs.FileMode) (*version, error) {
	f, err := r.openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return &version{SHA256: hex.EncodeToString(h.Sum(nil)), Mode: mode}, nil
}
