package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// Symbolic links are content like any other: the file is the target, as it is
// written in the link. None is ever followed to its target by a transaction, in
// whatever it reads, writes, keeps, compares or takes back.

// readLink is the target of a link, with '/' on every system.
func readLink(dir *os.Root, name string) (string, error) {
	target, err := dir.Readlink(name)
	return filepath.ToSlash(target), err
}

// makeLink makes a link where nothing may be. Windows needs a right for it that
// few have.
func makeLink(dir *os.Root, target, name string) error {
	return dir.Symlink(filepath.FromSlash(target), name) // Windows finds nothing through a '/'
}

// canBeTarget tells what no system takes for the target of a link.
func canBeTarget(target string) bool {
	return target != "" && !strings.Contains(target, "\x00")
}

// openRegular opens a file for reading, and nothing through a link: unlike
// [Root.openFile] it is for paths that a transaction changes.
func (r *Root) openRegular(name string) (*os.File, error) {
	return r.openItself(name, 0, errNotRegular)
}

// openDir is openRegular for a directory. The error says [fspath.Missing] where
// there is none.
func (r *Root) openDir(name string) (*os.File, error) {
	return r.openItself(name, fs.ModeDir, syscall.ENOTDIR)
}

// openItself opens what is of type kind, and fails with other where it is not. A
// link that takes its place in between is found by its being another file.
func (r *Root) openItself(name string, kind fs.FileMode, other error) (*os.File, error) {
	if err := r.straight(name); err != nil {
		return nil, err
	}
	return openKind(r.disk, name, kind, other)
}

func openKind(dir *os.Root, name string, kind fs.FileMode, other error) (*os.File, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != kind {
		return nil, &fs.PathError{Op: "open", Path: name, Err: other}
	}
	return openSeen(dir, name, info, other)
}

// openSeen opens the file that was seen under a name, and fails with other where
// something else is there now.
func openSeen(dir *os.Root, name string, seen fs.FileInfo, other error) (*os.File, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(now, seen) {
		_ = f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.Join(other, err)}
	}
	return f, nil
}

// openFolder opens a directory to which no link leads, one component at a time:
// os.Root would begin at the root each time, and deep paths would take the square
// of their depth. The error says [fs.ErrNotExist] where there is none, and
// [syscall.ENOTDIR] where something else is in its place or above.
func (r *Root) openFolder(name string) (*os.Root, error) {
	dir, err := r.disk.OpenRoot(".")
	if name == "." || err != nil {
		return dir, err
	}
	for base := range strings.SplitSeq(name, "/") {
		next, err := openChild(dir, base)
		closeRoot(dir)
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// straight is an error that says [syscall.ENOTDIR] where something above name is
// no directory, a link above all: name would be another file then than the one
// that is meant. A directory that is missing leads nowhere else.
func (r *Root) straight(name string) error {
	dir, err := r.openFolder(path.Dir(name))
	if fspath.Missing(err) && !errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	closeRoot(dir)
	return err
}

func closeRoot(dir *os.Root) {
	if dir != nil {
		_ = dir.Close()
	}
}

// openChild opens the directory that dir names base, and no link to one.
func openChild(dir *os.Root, base string) (*os.Root, error) {
	info, err := dir.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: base, Err: syscall.ENOTDIR}
	}
	return dir.OpenRoot(base)
}
