package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An operation is one change of the file system, or one sync. Every change of a transaction
// or a recovery goes through the functions of this file. Tests can therefore watch each
// operation, let it fail, and lose its effect as in a loss of power.
type operation struct {
	kind opKind
	path string // absolute
	to   string // the new name, for rename and link
}

type opKind string

const (
	opCreate opKind = "create"
	opWrite  opKind = "write"
	opMode   opKind = "change mode"
	opHand   opKind = "flush file" // passes a file's content to the drive, in whose cache it may remain on macOS
	// writes a file's content or a directory's entries, and flushes the drive's cache
	opSync    opKind = "sync"
	opRename  opKind = "rename"
	opLink    opKind = "link"
	opSymlink opKind = "make link"
	opRemove  opKind = "remove" // removes a file or an empty directory
	opMkdir   opKind = "make directory"
)

// hooks control how operations are performed. All except wait are for tests only.
type hooks struct {
	wait *wait // if it is nil, no operation waits
	// is called before each step of a transaction; it may fail, or never return
	step  func(name string) error
	probe func(op operation, perform func() error) error // performs each operation, or prevents it
}

// atStep calls the hook before a step.
func (h hooks) atStep(name string) error {
	if h.step == nil {
		return nil
	}
	return h.step(name)
}

// do performs an operation, and waits a while if another program holds the file.
func (h hooks) do(op operation, perform func() error) error {
	if h.probe == nil {
		return h.wait.patiently(perform)
	}
	op.path = filepath.Clean(op.path) // a file in a root is named ROOT/./FILE
	return h.wait.patiently(func() error { return h.probe(op, perform) })
}

// fullName returns the absolute path of a file in dir, for [operation].
func fullName(dir *os.Root, name string) string {
	return filepath.Join(dir.Name(), filepath.FromSlash(name))
}

// create creates a file that must not exist. O_NONBLOCK has no effect on a file, but saves
// package os four system calls that query and set it.
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

// syncFile hands the content of f to the drive. The next sync of a directory makes it
// durable.
func (r *Root) syncFile(f *os.File) error {
	return r.do(operation{kind: opHand, path: f.Name()}, func() error { return syncData(f) })
}

func (r *Root) rename(dir *os.Root, from, to string) error {
	return r.do(operation{opRename, fullName(dir, from), fullName(dir, to)}, func() error { return dir.Rename(from, to) })
}

// hardLink gives a file a second name, which must not be taken.
func (r *Root) hardLink(dir *os.Root, from, to string) error {
	return r.do(operation{opLink, fullName(dir, from), fullName(dir, to)}, func() error { return r.link(dir, from, to) })
}

// symlink makes a link to target, which has the separators of the system, at a path that must
// not exist. On Windows it needs a right that few people have.
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
