// Package disk provides the tree of files under one root: the files on disk with open buffers over them, the
// transaction that changes all files or none, and the list of protected files.
// A transaction ([Root.Commit]) compares the disk with the state that it expects, writes a journal, stages every new
// content and a backup of every old one, moves the new files into place, and cleans up. If it fails, it rolls back;
// after a crash, [Recover] rolls back when any command starts. A lock on the folder prevents other processes of Aptix
// from changing it at the same time.
//
// If a temp file or a backup cannot be removed, for example because a virus scanner has it open, the journal is renamed
// to a leftover, and each start tries to remove the files again (TestHeldLeftovers). If the journal cannot even be
// renamed, further changes in its folder are refused, but not in other folders (TestHeldJournal). On Windows, a
// transaction waits for files that other programs have open, but at most one second for all of them (held.go).
//
// Paths are written as in package io/fs: relative to the root, with '/' on every system. Every access goes through
// [os.Root], so that no path leads out of the root, whatever links another program creates in the meantime.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
)

// A Root is an open workspace folder. Several goroutines may call its methods at the same time.
type Root struct {
	dir  string
	disk *os.Root
	hooks
	// link makes a hard link. Tests replace it to simulate a file system without hard links.
	link  func(dir *os.Root, from, to string) error
	names func() fspath.Names
	// sparesReadOnly is true if this system does not allow replacing a read-only file.
	sparesReadOnly bool
}

func Open(dir string) (*Root, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", dir, err)
	}
	// The name of a folder's lock depends on the folder's path, so one folder must always have the same path. If
	// Windows cannot resolve the path, OpenRoot decides whether the folder can be opened.
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if !utf8.ValidString(abs) {
		return nil, fmt.Errorf("workspace %q: the path is not valid UTF-8; rename the folder", abs)
	}
	disk, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", dir, err)
	}
	r := &Root{dir: abs, disk: disk, link: (*os.Root).Link, hooks: hooks{wait: &wait{}}, sparesReadOnly: runtime.GOOS == "windows"}
	r.names = sync.OnceValue(r.askNames)
	return r, nil
}

func (r *Root) Close() error { return r.disk.Close() }

// Dir returns the absolute path of the folder as the system spells it, with symbolic links resolved.
func (r *Root) Dir() string { return r.dir }

// askNames finds out how the file system compares names. On macOS and Windows, case usually does not matter. On Linux,
// a file system such as ext4 can ignore both case and the Unicode form of letters.
func (r *Root) askNames() fspath.Names {
	windows, mac := runtime.GOOS == "windows", runtime.GOOS == "darwin"
	ignores, known := fspath.IgnoresCase(r.disk.FS())
	if !known {
		ignores = windows || mac
	}
	return fspath.Names{IgnoresCase: ignores, IgnoresForm: mac || ignores && !windows, Windows: windows}
}

// Canonical returns the result of [fspath.Canonical] for a path on disk.
func (r *Root) Canonical(path string) (string, error) {
	return fspath.Canonical(r.disk.FS(), path)
}

// PathOf returns the path of the folder `dir` from the root, with links resolved. It returns "." if `dir` is the root
// or contains it, and "" if `dir` is elsewhere or missing.
func (r *Root) PathOf(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || dir == "" {
		return ""
	}
	if below, err := filepath.Rel(real, r.dir); err == nil && filepath.IsLocal(below) {
		return "."
	}
	rel, err := filepath.Rel(r.dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// MayBring reports whether the state folder is in the root or in a repository, so that somebody else may have written
// its content.
func (r *Root) MayBring(stateDir string) bool {
	_, err := git.RepositoryOf(stateDir)
	return !errors.Is(err, git.ErrNone) || r.PathOf(stateDir) != ""
}

// validPath is [fs.ValidPath], but also refuses backslashes on Windows, because os.Root treats them as separators.
func validPath(name string) bool {
	return fs.ValidPath(name) && (filepath.Separator == '/' || !strings.ContainsRune(name, filepath.Separator))
}

// SetExecutable sets or clears the executable bits of a regular file for everyone who may read it, like git. `name`
// must be canonical (see [Root.Canonical]). The content and the times stay the same, so that editors do not reload the
// file.
func (r *Root) SetExecutable(name string, on bool) error {
	info, err := r.disk.Lstat(name)
	if err != nil {
		return err
	}
	if real, err := r.Canonical(name); !info.Mode().IsRegular() || err != nil || real != name {
		return &fs.PathError{Op: "chmod", Path: name, Err: errors.Join(errNotRegular, err)}
	}
	mode := info.Mode().Perm() &^ 0o111
	if on {
		mode |= mode & 0o444 >> 2
	}
	return r.disk.Chmod(name, mode)
}
