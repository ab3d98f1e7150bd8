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

// CheckPrivate returns an error if another user can write to the state folder or its
// contents, or owns something in it, because the program acts on journals. It also returns an
// error if a journal or its folder is a symbolic link. It does not object to the
// administrator, or to a missing folder.
func CheckPrivate(stateDir string) error {
	if err := noLinks(stateDir); err != nil {
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
				continue // another process has removed it meanwhile
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
