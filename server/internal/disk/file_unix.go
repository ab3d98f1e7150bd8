//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func sameMode(a, b fs.FileMode) bool { return a == b }

// held reports whether a change of a file failed because another program holds it. On Unix,
// programs cannot do that; tests simulate it by [ErrHeld].
func held(err error) bool { return errors.Is(err, ErrHeld) }

// keepOwner gives f the owner and group of old if this process may do so: a root shell in a
// container must not take over a person's files. Otherwise the file belongs to its writer, as
// with any editor that replaces files.
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

// keepLinkOwner is keepOwner for a symbolic link.
func keepLinkOwner(dir *os.Root, name string, old fs.FileInfo) {
	if want, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = dir.Lchown(name, int(want.Uid), int(want.Gid))
	}
}

// syncOld syncs a file that another program wrote.
func (r *Root) syncOld(dir *os.Root, name string) error {
	f, err := openKind(dir, name, 0, errNotRegular)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.syncFile(f)
}

// hasTwins reports whether a file has several names.
func hasTwins(_ string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
