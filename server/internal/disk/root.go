// Package disk is the tree of files under one root: what stands on disk,
// the open buffers over it, and the transaction that changes the disk all or
// nothing (ARCHITECTURE.md, "All or nothing").
//
// Paths are those of package io/fs: relative to the root, with '/' on every
// system. Every access goes through [os.Root], so no path leads out of the root,
// whatever links another program plants meanwhile.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A Root is an open workspace folder. Its methods may be called from several
// goroutines at once.
type Root struct {
	dir  string
	disk *os.Root
	// Tests take the place of these two.
	step func(name string) error // asked before each step on disk; may fail, or never return
	// [os.Root.Link], which some file systems do not have.
	link func(dir *os.Root, from, to string) error
}

// Open opens the folder dir.
func Open(dir string) (*Root, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", dir, err)
	}
	// One folder has one name, so that it has one lock. Where Windows cannot
	// resolve a name, OpenRoot has the last word.
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if !utf8.ValidString(abs) {
		return nil, fmt.Errorf("workspace %q: the path is not valid UTF-8", abs)
	}
	disk, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", dir, err)
	}
	return &Root{dir: abs, disk: disk, link: (*os.Root).Link}, nil
}

// Close releases the folder.
func (r *Root) Close() error { return r.disk.Close() }

// Dir is the absolute path of the folder, in the system's own spelling, with
// symbolic links resolved.
func (r *Root) Dir() string { return r.dir }

// Canonical is [fspath.Canonical] on disk.
func (r *Root) Canonical(path string) (string, error) {
	return fspath.Canonical(r.disk.FS(), path)
}

// validPath refuses what os.Root would read in its own way: on Windows it takes
// a backslash for a separator.
func validPath(name string) bool {
	return fs.ValidPath(name) && (filepath.Separator == '/' || !strings.ContainsRune(name, filepath.Separator))
}

var errNotRegular = errors.New("not a regular file")

// openFile opens for reading what is known to be a file or a directory. A FIFO
// would block until somebody writes to it, and a device may act on being opened,
// so it looks first; O_NONBLOCK is for what takes the file's place in between.
func (r *Root) openFile(name string) (*os.File, error) {
	info, err := r.disk.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := r.disk.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || now.Mode().Type() != info.Mode().Type() {
		_ = f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.Join(errNotRegular, err)}
	}
	return f, nil
}

// readFile reads what is known to be a file (see [Root.openFile]).
func (r *Root) readFile(name string) (string, error) {
	f, err := r.openFile(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readAll(f)
}

// readAll reads f, which is a file of any size. Copying it a piece at a time is
// cheaper than a second buffer of its size.
func readAll(f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(int(min(info.Size(), 1<<30)))
	buf := make([]byte, min(max(info.Size()+1, 512), 64<<10)) // one more, to find the end
	for {
		n, err := f.Read(buf)
		b.Write(buf[:n])
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}
