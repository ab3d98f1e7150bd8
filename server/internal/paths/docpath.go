package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Folder is a workspace folder.
type Folder struct {
	Names []string // the names with which docPaths in the folder may begin; new docPaths begin with the first
	Tree  fs.FS
	// Open has the paths of the files that an editor has open. The tree does not list an open file that was never
	// saved.
	Open []string
}

// DocPath returns the docPath of a file in a folder. `path` is relative to the folder, with slashes.
func DocPath(folder, path string) string { return strings.ToLower(folder + "/" + path) }

// HasDocPath reports whether a path can have a docPath. A path that is not UTF-8 or goes through .git has none.
func HasDocPath(path string) bool {
	return utf8.ValidString(path) && !slices.Contains(strings.Split(strings.ToLower(path), "/"), ".git")
}

// Lookup returns the canonical paths, sorted, of the files in the folder whose docPath is `key`. There are several if
// their paths differ only in case. Lookup lists only the folders on the way, and caches nothing, so that the result is
// up to date. It treats node_modules like any other folder, but never looks into .git.
//
// `m` limits the number of names that are compared; nil sets no limit. `made` has the paths of files that count as
// existing, because they are about to be created. The error means that a folder cannot be read.
func (f Folder) Lookup(m *meter.Meter, key string, made ...string) ([]string, error) {
	var found []string
	for _, name := range f.Names {
		rest, ok := strings.CutPrefix(key, strings.ToLower(name)+"/")
		if !ok || !utf8.ValidString(key) {
			continue
		}
		at, err := f.listed(m, rest)
		if err != nil {
			return nil, err
		}
		found = append(found, at...)
		found = append(found, text.Only(f.Open, func(open string) bool { return DocPath(name, open) == key })...)
	}
	files, err := f.files(found)
	for _, p := range made {
		if HasDocPath(p) && slices.ContainsFunc(f.Names, func(name string) bool { return DocPath(name, p) == key }) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

// listed returns the paths in the folder that are equal to `rest` after they are lower-cased. `rest` is a docPath
// without the name of the folder, so it is in lower case.
func (f Folder) listed(m *meter.Meter, rest string) (found []string, err error) {
	found = []string{"."}
	for name := range strings.SplitSeq(rest, "/") {
		if found, err = f.below(m, found, name); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// The costs of a lookup, in steps of the meter.
const (
	eachList = 20_000 // listing a folder
	eachName = 2_000  // each name in that folder
)

// below returns the entries, in any of the folders `dirs`, whose lower-case name is `name`.
func (f Folder) below(m *meter.Meter, dirs []string, name string) ([]string, error) {
	if name == ".git" {
		return nil, nil
	}
	var found []string
	for _, dir := range dirs {
		if m.Spent() {
			return nil, nil
		}
		entries, err := fs.ReadDir(f.Tree, dir)
		if fspath.Missing(err) || err != nil && (f.isFile(dir) || f.leadsAway(dir)) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		m.Pay(eachList + eachName*len(entries))
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

// leadsAway reports whether a folder cannot be reached because a link leads out of the tree or in a circle.
func (f Folder) leadsAway(dir string) bool {
	_, err := fspath.Canonical(f.Tree, dir)
	return errors.Is(err, fspath.ErrEscapes) || errors.Is(err, fspath.ErrLoop)
}

// files returns the names that are files, with links resolved. It leaves out a link that leads to a file outside the
// folder, or in .git, because that file has no docPath in this folder.
func (f Folder) files(names []string) ([]string, error) {
	var found []string
	for _, name := range names {
		file, err := fspath.Canonical(f.Tree, name)
		switch {
		case errors.Is(err, fspath.ErrEscapes), errors.Is(err, fspath.ErrLoop), errors.Is(err, fspath.ErrNotDir), fspath.Missing(err):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case f.isFile(file) && HasDocPath(file):
			found = append(found, file)
		}
	}
	return found, nil
}

// A LookupFunc returns the paths, from the root of a tree, of the files whose docPath is `key`. `m` limits the search.
// Files in `made` count as existing, because they are about to be created.
type LookupFunc func(m *meter.Meter, key string, made ...string) ([]string, error)

// Folders are the folders of a workspace.
type Folders []Folder

// In returns a lookup for a change to files of the workspace folder with the given index. The lookup returns paths in
// that folder. If a file of another folder has the same docPath, the docPath cannot decide between them, so the lookup
// returns the files of both, with the names of their folders in front.
func (all Folders) In(folder int) LookupFunc {
	return func(m *meter.Meter, key string, made ...string) ([]string, error) {
		var own, named []string
		for i, f := range all {
			files, err := f.Lookup(m, key)
			if i == folder {
				files, err = f.Lookup(m, key, made...)
				own = files
			}
			if err != nil {
				return nil, err
			}
			named = append(named, text.Each(files, func(file string) string { return f.Names[0] + "/" + file })...)
		}
		if len(own) > 0 && len(named) > len(own) {
			return named, nil
		}
		return own, nil
	}
}
