package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A rollback restores the old tree after a transaction, or an earlier rollback, stopped at any point. It relies only on
// the files on disk. If a file is neither in the old nor in the new state, another program changed it, and it is left
// alone.
type rollback struct {
	root     *Root
	journal  *journal
	restored []string
	left     []Left
	errs     []error
}

// rollBack undoes the steps of [commit.changeTree] in reverse order. It continues after an error, and returns all
// errors together. It keeps the backups unless everything succeeds.
func (r *Root) rollBack(j *journal) (*rollback, error) {
	b := &rollback{root: r, journal: j}
	b.each(func(e *entry) bool { return e.After != nil }, b.undoWrite)
	for _, dir := range slices.Backward(j.Made) {
		_ = r.removeDir(dir)
	}
	for _, dir := range j.Pruned {
		b.note(dir.Path, b.remake(dir))
	}
	b.each(func(e *entry) bool { return e.After == nil }, b.undoDelete)
	// The restored files must be synced before the backups are removed.
	b.note(r.dir, r.syncDirs(j.changedDirs()))
	if len(b.errs) == 0 {
		b.errs = append(b.errs, r.removeStaged(j, b.left))
	}
	return b, errors.Join(b.errs...)
}

func (b *rollback) each(which func(*entry) bool, undo func(*entry) error) {
	for i := range slices.Backward(b.journal.Ops) {
		if e := &b.journal.Ops[i]; which(e) {
			b.note(e.Path, undo(e))
		}
	}
}

func (b *rollback) note(path string, err error) {
	if err != nil {
		b.errs = append(b.errs, fmt.Errorf("%s: %w", path, err))
	}
}

func (b *rollback) undoWrite(e *entry) error {
	now, err := b.root.version(e.Path)
	switch {
	case err != nil:
		return err
	case e.is(now, e.Before), e.Before == nil && now.Mode.IsDir():
		// The transaction changed nothing: what the new file was to replace, a file or a directory, still exists.
		return nil
	case !e.is(now, e.After):
		return b.leave(e)
	case e.Before == nil:
		err = b.root.remove(b.root.disk, e.Path)
	default:
		if intact, err := b.backupIntact(e); err != nil || !intact {
			return errors.Join(err, b.leave(e))
		}
		err = b.root.rename(b.root.disk, e.Backup, e.Path)
	}
	if err == nil {
		b.restored = append(b.restored, e.Path)
	}
	return err
}

func (b *rollback) undoDelete(e *entry) error {
	now, err := b.root.version(e.Path)
	switch {
	case err != nil:
		return err
	case e.is(now, e.Before):
		return nil
	case now != nil:
		return b.leave(e)
	}
	if intact, err := b.backupIntact(e); err != nil || !intact {
		return errors.Join(err, b.leave(e))
	}
	err = b.putBack(e)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		// Another program has created something at that path.
		return b.leave(e)
	}
	if err == nil {
		b.restored = append(b.restored, e.Path)
	}
	return err
}

func (b *rollback) putBack(e *entry) error {
	if err := b.root.noLinkAbove(e.Path); err != nil {
		return err
	}
	for _, dir := range slices.Backward(fspath.Parents(e.Path)) {
		if err := b.root.makeDir(b.root.disk, dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return b.root.linkNew(b.root.disk, e.Backup, e.Path)
}

func (b *rollback) backupIntact(e *entry) (bool, error) {
	kept, err := b.root.version(e.Backup)
	return err == nil && kept != nil && kept.sameContent(e.Before), err
}

// leave records that a file was not restored because another program wrote it. It records nothing if the transaction
// had not changed the file.
func (b *rollback) leave(e *entry) error {
	if b.neverChanged(e) {
		return nil
	}
	l := Left{Path: e.Path}
	if e.Backup != "" {
		kept, err := b.root.version(e.Backup)
		if err != nil {
			return err
		}
		if kept != nil {
			l.Backup = e.Backup
		}
	}
	b.left = append(b.left, l)
	return nil
}

// neverChanged reports whether the transaction stopped before it changed the file of `e`: the old file still exists,
// even with different content, or the temp file still exists. It returns false if the disk does not show whether the
// file was changed.
func (b *rollback) neverChanged(e *entry) bool {
	if e.Before == nil {
		return false
	}
	if e.After != nil {
		if _, err := b.root.disk.Lstat(e.Temp); err == nil {
			return true
		}
	}
	old, err := b.root.disk.Lstat(e.Backup)
	now, err2 := b.root.disk.Lstat(e.Path)
	return err == nil && err2 == nil && os.SameFile(old, now)
}

func (b *rollback) remake(dir folder) error {
	err := b.root.noLinkAbove(dir.Path)
	if err == nil {
		// The directory gets its mode now, in case of a crash before the next step.
		err = b.root.makeDir(b.root.disk, dir.Path, dir.Mode.Perm())
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		// Another program has created something at that path.
		return nil
	}
	if err != nil {
		return err
	}
	return b.root.chmodDir(dir.Path, dir.Mode.Perm())
}

// removeStaged removes temp files and backups, except the backups of the files in `left`. If a file cannot be removed,
// it continues with the next op. Every error is a [heldError].
func (r *Root) removeStaged(j *journal, left []Left) error {
	kept := map[string]bool{"": true}
	for _, l := range left {
		kept[l.Backup] = true
	}
	last := lastDir{root: r}
	defer last.close()
	var held heldError
	for _, e := range j.Ops {
		for _, name := range []string{e.Backup, e.Temp} {
			if kept[name] {
				continue
			}
			if err := last.remove(name); err != nil && !fspath.Missing(err) {
				held.names, held.cause = append(held.names, name), err
				// The temp file must stay while the backup exists, because neverChanged needs it.
				break
			}
		}
	}
	if held.cause = errors.Join(held.cause, r.syncDirs(j.changedDirs())); held.cause != nil {
		return &held
	}
	return nil
}

// version returns the current version of a file, or nil if the file does not exist or a folder above it is a link. If
// the path is neither a file nor a link, the version differs from every version of a file.
func (r *Root) version(name string) (*version, error) {
	var info fs.FileInfo
	err := r.noLinkAbove(name)
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
		return newVersion(info.Mode(), text.Sum(target)), err
	case !info.Mode().IsRegular():
		return &version{SHA256: fspath.Kind(info), Mode: info.Mode()}, nil
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
