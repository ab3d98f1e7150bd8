package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An operation is one change to the file system, or one sync. Transactions and recoveries make every change through the
// functions of this file. Tests can therefore watch each operation, make it fail, and undo its effect like a loss of
// power.
type operation struct {
	kind opKind
	path string // an absolute path
	to   string // the new name, for a rename or a hard link
}

type opKind string

const (
	opCreate opKind = "create"
	opWrite  opKind = "write"
	opMode   opKind = "change mode"
	opHand   opKind = "flush file" // passes a file's content to the drive; on macOS it may stay in the drive's cache
	// opSync writes the content of a file or the entries of a directory, and flushes the drive's cache.
	opSync    opKind = "sync"
	opRename  opKind = "rename"
	opLink    opKind = "link"
	opSymlink opKind = "make link"
	opRemove  opKind = "remove" // removes a file or an empty directory
	opMkdir   opKind = "make directory"
)

// hooks control how operations are performed. All hooks except `wait` are only for tests.
type hooks struct {
	wait *wait // if nil, no operation waits
	// probe performs each operation, or prevents it.
	probe func(op operation, perform func() error) error
}

func (h hooks) do(op operation, perform func() error) error {
	if h.probe == nil {
		return h.wait.patiently(perform)
	}
	// The name of a file in a root is ROOT/./FILE.
	op.path = filepath.Clean(op.path)
	return h.wait.patiently(func() error { return h.probe(op, perform) })
}

func fullName(dir *os.Root, name string) string {
	return filepath.Join(dir.Name(), filepath.FromSlash(name))
}

// create creates a file; it fails if the file exists. With O_NONBLOCK, which changes nothing else for a file, package
// os makes four fewer system calls.
func (r *Root) create(dir *os.Root, name string, mode fs.FileMode) (f *os.File, err error) {
	err = r.do(operation{kind: opCreate, path: fullName(dir, name)}, func() error {
		f, err = dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NONBLOCK, mode)
		return err
	})
	return f, err
}

func (r *Root) write(f *os.File, data string) error {
	return r.do(operation{kind: opWrite, path: f.Name()}, func() error {
		_, err := f.WriteString(data)
		return err
	})
}

func (r *Root) copy(to, from *os.File) error {
	return r.do(operation{kind: opWrite, path: to.Name()}, func() error {
		_, err := io.Copy(to, from)
		return err
	})
}

func (r *Root) chmod(f *os.File, mode fs.FileMode) error {
	return r.do(operation{kind: opMode, path: f.Name()}, func() error { return f.Chmod(mode) })
}

// syncFile passes the content of `f` to the drive. After the next sync of a directory, a loss of power cannot lose the
// content.
func (r *Root) syncFile(f *os.File) error {
	return r.do(operation{kind: opHand, path: f.Name()}, func() error { return syncData(f) })
}

func (r *Root) rename(dir *os.Root, from, to string) error {
	return r.do(operation{opRename, fullName(dir, from), fullName(dir, to)}, func() error { return dir.Rename(from, to) })
}

// hardLink gives a file a second name, and fails if that name exists.
func (r *Root) hardLink(dir *os.Root, from, to string) error {
	return r.do(operation{opLink, fullName(dir, from), fullName(dir, to)}, func() error { return r.link(dir, from, to) })
}

// symlink makes a symbolic link, and fails if the path exists. `target` must have the separators of the system. On
// Windows, symlink often fails, because few people have the right to make links.
func (r *Root) symlink(dir *os.Root, target, name string) error {
	return r.do(operation{kind: opSymlink, path: fullName(dir, name)}, func() error { return dir.Symlink(target, name) })
}

func (r *Root) remove(dir *os.Root, name string) error {
	return r.do(operation{kind: opRemove, path: fullName(dir, name)}, func() error { return dir.Remove(name) })
}

func (r *Root) makeDir(dir *os.Root, name string, mode fs.FileMode) error {
	return r.do(operation{kind: opMkdir, path: fullName(dir, name)}, func() error { return dir.Mkdir(name, mode) })
}

func (r *Root) chmodDir(name string, mode fs.FileMode) error {
	return r.do(operation{kind: opMode, path: fullName(r.disk, name)}, func() error { return r.disk.Chmod(name, mode) })
}
