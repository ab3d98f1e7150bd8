// Package fspath tells which file a path means. It works on any tree that an
// [fs.FS] can show: the disk under a root, open buffers over it, a tree in memory.
//
// Paths are those of package io/fs everywhere: relative, with '/' on every
// system, without "." and ".." components.
package fspath

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// What can be wrong with a path. [Canonical] wraps one of these in a
// [*fs.PathError] whose Path is the component where it shows.
var (
	ErrEscapes = errors.New("a symbolic link leads out of the root")
	ErrLoop    = errors.New("too many symbolic links")
	ErrNotDir  = errors.New("not a directory")
)

// maxLinks is how many symbolic links one path may go through, as in Linux.
const maxLinks = 40

// Canonical is the one name of the file that name means: no symbolic link in it
// and, where the file system folds case or normalises Unicode, the spelling
// that the directory lists. Two names mean the same file exactly when their
// canonical names are equal (hard links are files of their own).
//
// The file need not be there, nor the directories that lead to it: components
// that are missing stay as written. The canonical name of a dangling
// link is that of the file that writing through it would create.
//
// Errors: [ErrEscapes] for a link to a place outside fsys, which every absolute
// target is taken for; [ErrLoop]; [ErrNotDir] where a component before the last
// is a file; [fs.ErrNotExist] only for a link that goes up again from a directory
// that is missing; [fs.ErrInvalid] for a name that [fs.ValidPath] refuses. Any
// other error is one of reading fsys.
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

// Missing reports whether err says that there is no such file. A path through a
// file, which Unix tells apart, has nothing at its end either.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Unusable reports whether err says that no file can have such a name here: it is
// too long, or holds what the file system takes in no name.
func Unusable(err error) bool {
	return errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENAMETOOLONG) ||
		errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL) || badName(err)
}

// A walk goes down one component at a time.
type walk struct {
	fsys    fs.FS
	at      string   // resolved so far; no link in it
	todo    []string // components still to resolve
	links   int      // followed so far
	missing bool     // there is nothing at at, nor below it
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

// up is a ".." in the target of a link. To drop it from a directory that is
// missing would find a file where the system finds none.
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

// more reports whether what is still to resolve needs a directory here.
func (w *walk) more() bool {
	for _, name := range w.todo {
		if name != "" {
			return true
		}
	}
	return false
}

// follow puts the target of link before the rest. Targets are relative to the
// directory of the link, which is w.at.
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
