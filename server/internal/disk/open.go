package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

var errNotRegular = errors.New("not a regular file")

// openFile opens a file or a directory for reading, and follows links. It checks the type first, because opening a FIFO
// waits for a writer, and opening a device may have an effect. It opens with O_NONBLOCK, in case a FIFO replaces the
// file after the check.
func (r *Root) openFile(name string) (*os.File, error) {
	info, err := stat(r.disk, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := openToRead(r.disk, name)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || now.Mode().Type() != info.Mode().Type() {
		_ = f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.Join(errNotRegular, err)}
	}
	return f, nil
}

// readers limits how long all reads together wait for files that other programs have open.
var readers wait

func patiently[T any](read func() (T, error)) (result T, err error) {
	err = readers.patiently(func() error {
		result, err = read()
		return err
	})
	return result, err
}

func openToRead(dir *os.Root, name string) (*os.File, error) {
	return patiently(func() (*os.File, error) { return dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) })
}

// stat and lstat wait, too, because Windows does not even describe a file that another program has open exclusively.
func stat(dir *os.Root, name string) (fs.FileInfo, error) {
	return patiently(func() (fs.FileInfo, error) { return dir.Stat(name) })
}

func lstat(dir *os.Root, name string) (fs.FileInfo, error) {
	return patiently(func() (fs.FileInfo, error) { return dir.Lstat(name) })
}

// readDir lists a directory, and follows links.
func (r *Root) readDir(name string) ([]fs.DirEntry, error) {
	if !validPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	f, err := r.openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// readFile follows links.
func (r *Root) readFile(name string) (string, error) {
	f, err := r.openFile(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return readAll(f, info.Size())
}

// readAll reads a file of any size; `size` is its probable size in bytes.
func readAll(f *os.File, size int64) (string, error) {
	// One more byte, so that the last read notices the end of the file.
	data := make([]byte, 0, min(max(size+1, 512), 1<<30))
	for {
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			// The bytes can no longer change, because nothing else refers to `data`.
			return unsafe.String(unsafe.SliceData(data), len(data)), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// openRegular opens a regular file for reading without following links. Transactions use it for the files that they
// change.
func (r *Root) openRegular(name string) (*os.File, error) {
	return r.openItself(name, 0, errNotRegular)
}

// openItself opens a file of the type `kind` without following links. The error is `wrongType` if the file has a
// different type. If the file is missing, [fspath.Missing] returns true for the error.
func (r *Root) openItself(name string, kind fs.FileMode, wrongType error) (*os.File, error) {
	if err := r.noLinkAbove(name); err != nil {
		return nil, err
	}
	return openKind(r.disk, name, kind, wrongType)
}

func openKind(dir *os.Root, name string, kind fs.FileMode, wrongType error) (*os.File, error) {
	info, err := lstat(dir, name)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != kind {
		return nil, &fs.PathError{Op: "open", Path: name, Err: wrongType}
	}
	return openSeen(dir, name, info, wrongType)
}

// openSeen opens the file `seen`, which Lstat found earlier under `name`. The error is `changed` if a different file or
// a link has that name now.
func openSeen(dir *os.Root, name string, seen fs.FileInfo, changed error) (*os.File, error) {
	f, err := openToRead(dir, name)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(now, seen) {
		_ = f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.Join(changed, err)}
	}
	return f, nil
}

// A transaction treats a symbolic link as a file whose content is the target, as written in the link. It never follows
// a link, whether it reads, writes, backs up, compares or restores.

// readLink returns the target of a link, with '/' as the separator on every system.
func readLink(dir *os.Root, name string) (string, error) {
	target, err := dir.Readlink(name)
	return filepath.ToSlash(target), err
}
