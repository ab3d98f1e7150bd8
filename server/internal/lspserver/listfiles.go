package lspserver

import (
	"context"
	"io/fs"
	"path"
	"strings"
)

// The bounds of a listing: how many paths are offered, and how many names are
// looked at for them.
const (
	maxListed  = 200
	maxVisited = 20_000
)

// listFiles is the files below the folder root whose path from there begins with
// typed, in any case; those in outer folders come first. all is false where there
// may be more. What cannot be read is left out.
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

// isFile reports whether a link leads to a file.
func isFile(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
}
