// Package docpath tells which file a docPath is the key of (rule R27): the
// lower-cased name of a workspace folder, and the path of a file in it.
//
// Lower case is what [strings.ToLower] gives: every character by itself, by
// Unicode, in no language's way, and without normalisation. A name that is not
// UTF-8 has no key.
package docpath

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A Folder is a workspace folder.
type Folder struct {
	Names []string // that keys may begin with, the one to make keys with first
	Tree  fs.FS
	// Open are the paths of files that an editor has open: one that was never saved
	// is not listed by the tree.
	Open []string
}

// Key is the docPath of a file in a folder; path is relative to it, with slashes.
func Key(folder, path string) string { return strings.ToLower(folder + "/" + path) }

// HasKey reports whether what is at a path can have a docPath: names that are not UTF-8
// have none, nor has anything in a repository's own folder.
func HasKey(path string) bool {
	return utf8.ValidString(path) && !slices.Contains(strings.Split(strings.ToLower(path), "/"), ".git")
}

// Lookup is the files of a folder that have a key, by canonical path, sorted: more
// than one where names differ in case alone. Nothing is remembered: it lists just
// the folders on the way, so that what it says is true now. It looks into
// node_modules as it does into any folder, but into no .git.
//
// Made are paths of files that are about to be made, and count as well. An error is a
// folder that cannot be read.
func (f Folder) Lookup(key string, made ...string) ([]string, error) {
	var found []string
	for _, name := range f.Names {
		rest, ok := strings.CutPrefix(key, strings.ToLower(name)+"/")
		if !ok || !utf8.ValidString(key) {
			continue
		}
		at, err := f.listed(rest)
		if err != nil {
			return nil, err
		}
		found = append(found, at...)
		for _, open := range f.Open {
			if Key(name, open) == key {
				found = append(found, open)
			}
		}
	}
	files, err := f.files(found)
	for _, p := range made {
		if HasKey(p) && slices.ContainsFunc(f.Names, func(name string) bool { return Key(name, p) == key }) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

// listed are the paths that are rest in lower case.
func (f Folder) listed(rest string) (found []string, err error) {
	found = []string{"."}
	for name := range strings.SplitSeq(rest, "/") {
		if found, err = f.below(found, name); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// below is what some folders hold under a name in lower case.
func (f Folder) below(dirs []string, name string) ([]string, error) {
	if name == ".git" {
		return nil, nil
	}
	var found []string
	for _, dir := range dirs {
		entries, err := fs.ReadDir(f.Tree, dir)
		if fspath.Missing(err) || err != nil && (f.isFile(dir) || f.leadsAway(dir)) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, e := range entries {
			if utf8.ValidString(e.Name()) && strings.ToLower(e.Name()) == name {
				found = append(found, path.Join(dir, e.Name()))
			}
		}
	}
	return found, nil
}

func (f Folder) isFile(name string) bool {
	info, err := fs.Stat(f.Tree, name)
	return err == nil && !info.IsDir()
}

// leadsAway reports whether there is no way to a folder within the tree: a link leads
// out, or in a circle.
func (f Folder) leadsAway(dir string) bool {
	_, err := fspath.Canonical(f.Tree, dir)
	return errors.Is(err, fspath.ErrEscapes) || errors.Is(err, fspath.ErrLoop)
}

// files are those of names that are files, with links resolved. What a link leads
// to outside of the folder, or in a repository's own folder, has no key in it.
func (f Folder) files(names []string) ([]string, error) {
	var found []string
	for _, name := range names {
		file, err := fspath.Canonical(f.Tree, name)
		switch {
		case errors.Is(err, fspath.ErrEscapes), errors.Is(err, fspath.ErrLoop), errors.Is(err, fspath.ErrNotDir), fspath.Missing(err):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case f.isFile(file) && HasKey(file):
			found = append(found, file)
		}
	}
	return found, nil
}

// A LookupFunc gives the files, by path from the root of a tree, that a docPath is the key
// of. made are files that are about to be made.
type LookupFunc func(key string, made ...string) ([]string, error)

// Folders are those of a workspace.
type Folders []Folder

// In is a lookup for a change of files of one folder of a workspace, by
// index: it answers with paths in it. Where a file of another folder has the same
// key, it answers with the names of both folders in front, as none of the files
// can be meant.
func (all Folders) In(folder int) LookupFunc {
	return func(key string, made ...string) ([]string, error) {
		var own, named []string
		for i, f := range all {
			files, err := f.Lookup(key)
			if i == folder {
				files, err = f.Lookup(key, made...)
				own = files
			}
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				named = append(named, f.Names[0]+"/"+file)
			}
		}
		if len(own) > 0 && len(named) > len(own) {
			return named, nil
		}
		return own, nil
	}
}
