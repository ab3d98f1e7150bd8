package lspserver

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The limits of one listing: the paths that it offers, and the names that it reads.
const (
	maxListed  = 200
	maxVisited = 20_000
)

// listFiles returns the files below the folder `root` whose path from that folder begins with `typed`, ignoring case.
// Files in outer folders come first. `all` is false if there may be more files.
func listFiles(ctx context.Context, tree fs.FS, root, typed string) (found []string, all bool) {
	folder, _ := path.Split(typed)
	if path.IsAbs(folder) {
		return nil, true
	}
	typed = strings.ToLower(typed)
	return list(ctx, tree, root, folder, func(p string) (name string, fits, above bool) {
		fits = strings.HasPrefix(strings.ToLower(p), typed)
		return p, fits, fits
	})
}

// listKeys returns the docPaths that begin with `typed`, which must be in lower case, for files below a folder. `all`
// is false if there may be more.
func listKeys(ctx context.Context, tree fs.FS, folder, typed string) (found []string, all bool) {
	return list(ctx, tree, ".", "", func(p string) (name string, fits, above bool) {
		key := paths.DocPath(folder, p)
		fits = strings.HasPrefix(key, typed)
		return key, fits, fits || strings.HasPrefix(typed, key+"/")
	})
}

// list returns the names of files below a folder. The path `folder` is relative to `root`, and is "" or ends in a
// slash. For a path from `root`, `match` returns the name to list, whether the path fits, and whether files that fit
// may be below the path. list skips folders that it cannot read.
func list(ctx context.Context, tree fs.FS, root, folder string, match func(p string) (name string, fits, above bool)) (found []string, all bool) {
	visited := 0
	for folders := []string{folder}; len(folders) > 0 && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(tree, path.Join(root, folders[0]))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if visited++; visited > maxVisited || len(found) == maxListed {
				return found, false
			}
			p := folders[0] + e.Name()
			switch name, fits, above := match(p); {
			case e.IsDir():
				if above && e.Name() != ".git" && e.Name() != "node_modules" {
					folders = append(folders, p+"/")
				}
			case fits && (e.Type().IsRegular() || fspath.IsFile(tree, path.Join(root, p))):
				found = append(found, name)
			}
		}
	}
	return found, true
}

// openKeys returns the sorted docPaths of open files that begin with `typed`. The document of the reply is left out.
func openKeys(v workspace.View, reply *documents.Document, typed string) []string {
	var keys []string
	for name, doc := range v.Open {
		if key := paths.DocPath(v.Names()[0], name); doc != reply && strings.HasPrefix(key, typed) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// first returns the elements of `some`, and then the other elements of `all`. A document that was never saved is only
// in `some`.
func first(some, all []string) []string {
	out := append(slices.Clone(some), text.Only(all, func(s string) bool { return !slices.Contains(some, s) })...)
	return slices.Compact(out)
}
