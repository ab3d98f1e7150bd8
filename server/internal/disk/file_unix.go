//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

func sameMode(a, b fs.FileMode) bool { return a == b }

// held reports whether an operation failed because another program has the file open. On Unix, only tests produce this
// error ([ErrHeld]).
func held(err error) bool { return errors.Is(err, ErrHeld) }

// keepOwner gives `f` the owner and group of the old file, if this process has the right to do so. For example, a root
// shell in a container must not become the owner of a person's files.
func keepOwner(f *os.File, old fs.FileInfo) {
	want, ok := old.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if !ok || err != nil {
		return
	}
	if now, ok := info.Sys().(*syscall.Stat_t); ok && (now.Uid != want.Uid || now.Gid != want.Gid) {
		if f.Chown(int(want.Uid), int(want.Gid)) != nil {
			_ = f.Chown(-1, int(want.Gid))
		}
	}
}

func keepLinkOwner(dir *os.Root, name string, old fs.FileInfo) {
	if want, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = dir.Lchown(name, int(want.Uid), int(want.Gid))
	}
}

// syncOld syncs the old content of a file, because the program that wrote it might not have done so.
func (r *Root) syncOld(dir *os.Root, name string) error {
	f, err := openKind(dir, name, 0, errNotRegular)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.syncFile(f)
}

// hasTwins reports whether the file has several names (hard links).
func hasTwins(_ string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// CheckPrivate returns an error if another user can write to the state folder or its contents, or owns something in it.
// This would be dangerous, because [Recover] makes the changes that the journals in this folder describe. Files of the
// administrator (root) are allowed, and so is a missing folder. CheckPrivate also returns an error if a journal is not a
// regular file, or if the folder of the journals is not a folder.
func CheckPrivate(stateDir string) error {
	if err := plain(stateDir); err != nil {
		return err
	}
	for _, dir := range []string{stateDir, journalDir(stateDir)} {
		info, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = oursAlone(dir, info)
		}
		if err != nil {
			return fmt.Errorf("state folder: %w", err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("state folder: %w", err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				// Another process has just removed the file.
				continue
			}
			if err == nil {
				err = oursAlone(filepath.Join(dir, e.Name()), info)
			}
			if err != nil {
				return fmt.Errorf("state folder: %w", err)
			}
		}
	}
	return nil
}

func oursAlone(name string, info fs.FileInfo) error {
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !known || owner.Uid != 0 && int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user; remove it", name)
	case info.Mode().Type() != fs.ModeSymlink && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("other users can write to %s (mode %v); check its contents, then run chmod go-w on it", name, info.Mode().Perm())
	}
	return nil
}
