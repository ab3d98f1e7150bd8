// Package fspath determines which file a path means. It works on any [fs.FS]: the disk below a root, a tree in which
// open buffers replace files, or a tree in memory.
//
// Paths are written as in package io/fs: relative, with '/' on every system, without the components "." and "..".
package fspath

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The errors of a path. [Canonical] wraps them in a [*fs.PathError] whose Path is the component that causes the error.
var (
	ErrEscapes = errors.New("a symbolic link leads out of the root")
	ErrLoop    = errors.New("too many symbolic links")
	ErrNotDir  = errors.New("not a directory")
)

// maxLinks limits the number of symbolic links in one path. Linux has the same limit.
const maxLinks = 40

// Canonical returns the canonical name of the file that `name` means: a name without symbolic links, spelled as the
// directory lists it, even if the file system folds case or normalizes Unicode. Two names mean the same file exactly if
// their canonical names are equal (hard links count as different files).
//
// Neither the file nor its directories have to exist: missing components stay as they are written. The canonical name
// of a dangling link is the name of the file that a write through the link would create.
//
// The error is:
//
//   - [ErrEscapes] for a link to a path outside `fsys`; every absolute target counts as outside
//   - [ErrLoop] for too many links
//   - [ErrNotDir] if a component before the last is a file
//   - [fs.ErrInvalid] for a name that [fs.ValidPath] refuses
//   - [fs.ErrNotExist] only if the target of a link has ".." after a missing directory
//
// Any other error comes from reading `fsys`.
func Canonical(fsys fs.FS, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "resolve", Path: name, Err: fs.ErrInvalid}
	}
	w := walk{fsys: fsys, at: ".", todo: strings.Split(name, "/")}
	for len(w.todo) > 0 {
		if err := w.next(); err != nil {
			return "", err
		}
	}
	return w.at, nil
}

// Missing reports whether an error means that a file does not exist. On Unix, it also returns true if the path goes
// through a file.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Unusable reports whether an error means that this system refuses the name of a file: the name is too long, or has
// characters that the file system does not allow.
func Unusable(err error) bool {
	return errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENAMETOOLONG) ||
		errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL) || badName(err)
}

type walk struct {
	fsys    fs.FS
	at      string   // the part of the path that is resolved so far, without links
	todo    []string // the components that remain to be resolved
	links   int
	missing bool
}

func (w *walk) next() error {
	name := w.todo[0]
	w.todo = w.todo[1:]
	switch {
	case name == "" || name == ".":
		return nil
	case name == "..":
		return w.up()
	case w.missing:
		w.at = path.Join(w.at, name)
		return nil
	}
	return w.down(name)
}

// up resolves a ".." in the target of a link. It fails if the directory at w.at is missing, because the operating
// system would not find the file either.
func (w *walk) up() error {
	switch {
	case w.missing:
		return w.fail(w.at, fs.ErrNotExist)
	case w.at == ".":
		return w.fail("..", ErrEscapes)
	}
	w.at = path.Dir(w.at)
	return nil
}

func (w *walk) down(name string) error {
	full := path.Join(w.at, name)
	info, err := fs.Lstat(w.fsys, full)
	switch {
	case Missing(err):
		w.at, w.missing = full, true
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return w.follow(full)
	case !info.IsDir() && w.more():
		return w.fail(full, ErrNotDir)
	}
	w.at = path.Join(w.at, spelling(w.fsys, w.at, name))
	return nil
}

// more reports whether any component is left, so that the path so far must be a directory.
func (w *walk) more() bool {
	return slices.ContainsFunc(w.todo, func(name string) bool { return name != "" })
}

// follow puts the target of a link before the remaining components. The target is relative to w.at, the directory of
// the link.
func (w *walk) follow(link string) error {
	if w.links++; w.links > maxLinks {
		return w.fail(link, ErrLoop)
	}
	target, err := fs.ReadLink(w.fsys, link)
	if err != nil {
		return err
	}
	slashed := filepath.ToSlash(target)
	if strings.HasPrefix(slashed, "/") || filepath.VolumeName(target) != "" {
		return w.fail(link, ErrEscapes)
	}
	w.todo = append(strings.Split(slashed, "/"), w.todo...)
	return nil
}

func (w *walk) fail(at string, err error) error {
	return &fs.PathError{Op: "resolve", Path: at, Err: err}
}
