package lspserver

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/docpath"
)

// The limits of a listing: the number of paths that are offered, and of names that are read
// to find them.
const (
	maxListed  = 200
	maxVisited = 20_000
)

// listFiles returns the files below the folder root whose path from root begins with typed,
// ignoring case. Files in outer folders come first. all is false if there may be more. It
// skips unreadable folders.
func listFiles(ctx context.Context, tree fs.FS, root, typed string) (found []string, all bool) {
	folder, _ := path.Split(typed)
	visited := 0
	for folders := []string{folder}; len(folders) > 0 && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(tree, path.Join(root, folders[0]))
		if err != nil || path.IsAbs(folder) {
			continue
		}
		for _, e := range entries {
			p := folders[0] + e.Name()
			if visited++; visited > maxVisited || len(found) == maxListed {
				return found, false
			}
			switch {
			case !strings.HasPrefix(strings.ToLower(p), strings.ToLower(typed)):
			case e.IsDir():
				if e.Name() != ".git" && e.Name() != "node_modules" {
					folders = append(folders, p+"/")
				}
			case e.Type().IsRegular() || isFile(tree, path.Join(root, p)):
				found = append(found, p)
			}
		}
	}
	return found, true
}

// isFile reports whether a name leads to a file, possibly through links.
func isFile(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
}

// listKeys returns the docPaths of a folder that begin with typed, which is in lower case.
// The limits and the order are those of [listFiles].
func listKeys(ctx context.Context, tree fs.FS, name, typed string) (found []string, all bool) {
	visited := 0
	for folders := []string{"."}; len(folders) > 0 && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(tree, folders[0])
		if err != nil {
			continue
		}
		for _, e := range entries {
			p := path.Join(folders[0], e.Name())
			key := docpath.Key(name, p)
			if visited++; visited > maxVisited || len(found) == maxListed {
				return found, false
			}
			switch {
			case e.IsDir():
				under := strings.HasPrefix(key, typed) || strings.HasPrefix(typed, key+"/")
				if under && e.Name() != ".git" && e.Name() != "node_modules" {
					folders = append(folders, p)
				}
			case strings.HasPrefix(key, typed) && (e.Type().IsRegular() || isFile(tree, p)):
				found = append(found, key)
			}
		}
	}
	return found, true
}

// openKeys returns the docPaths of open files, except the reply, that begin with typed,
// sorted.
func (v view) openKeys(reply *Document, typed string) []string {
	var keys []string
	for name, doc := range v.open {
		if key := docpath.Key(v.names()[0], name); doc != reply && strings.HasPrefix(key, typed) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// first returns some, followed by the other elements of all. some need not be in all, because
// an open document may never have been saved. The result has no duplicates.
func first(some, all []string) []string {
	out := slices.Clone(some)
	for _, s := range all {
		if !slices.Contains(some, s) {
			out = append(out, s)
		}
	}
	return slices.Compact(out)
}
