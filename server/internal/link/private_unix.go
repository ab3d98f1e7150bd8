//go:build unix

package link

import (
	"fmt"
	"os"
	"syscall"
)

// private returns an error unless dir is a folder that only this user can enter.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder; remove it", dir)
	case !known || int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user; remove it", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users (mode %v), expected 0700; run chmod 700 on it", dir, info.Mode().Perm())
	}
	return nil
}
