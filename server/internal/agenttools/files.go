package agenttools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type file struct {
	key    string
	folder Folder
	path   string // canonical, relative to the folder
}

// find looks in all folders for the file with the given docPath (rule R27).
func find(ctx context.Context, all []Folder, key string) (file, error) {
	if lower := strings.ToLower(key); lower != key {
		return file{}, Refuse(string(diag.DocPathCase), "a docPath must be in lower case: write %q, not %q", lower, key)
	}
	found, err := lookup(all, key)
	if err != nil {
		return file{}, err
	}
	switch len(found) {
	case 0:
		return file{}, unknown(ctx, all, key)
	case 1:
		return found[0], nil
	}
	return file{}, ambiguous(key, found)
}

func lookup(all []Folder, key string) (found []file, err error) {
	for _, folder := range all {
		paths, err := folder.Lookup(nil, key)
		if err != nil {
			return nil, unreadable(key, err)
		}
		found = append(found, text.Each(paths, func(p string) file { return file{key, folder, p} })...)
	}
	return found, nil
}

func ambiguous(key string, found []file) error {
	return Refuse(string(diag.DocPathAmbiguous), "%q is the docPath of several files, %s; rename all but one of them", key, named(found))
}

// named returns names that a person recognizes, such as `"app/main.go" and "app/Main.go"`. If two files would have the
// same name, it returns whole paths.
func named(files []file) string {
	var short, long []string
	for _, f := range files {
		short = append(short, fmt.Sprintf("%q", f.folder.Names[0]+"/"+f.path))
		long = append(long, fmt.Sprintf("%q", filepath.Join(f.folder.Dir, filepath.FromSlash(f.path))))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(short)))) < len(short) {
		return strings.Join(long, " and ")
	}
	return strings.Join(short, " and ")
}

func unreadable(key string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return Refuse("not-permitted", "%q cannot be read: the user that Aptix runs as lacks permission", key)
	}
	return err
}

func (f file) active() *Active {
	i := slices.IndexFunc(f.folder.Active, func(a Active) bool { return a.Path == f.path })
	if i < 0 {
		return nil
	}
	return &f.folder.Active[i]
}

// At most maxNear similar docPaths are suggested, from the first maxNearFiles files.
const (
	maxNear      = 3
	maxNearFiles = 5_000
)

// unknown returns the refusal of a docPath that no file has. It names the most similar docPaths.
func unknown(ctx context.Context, all []Folder, key string) error {
	var keys []string
	for _, folder := range all {
		for p := range files(ctx, folder) {
			if len(keys) == maxNearFiles {
				break
			}
			keys = append(keys, paths.DocPath(folder.Names[0], p))
		}
	}
	hint := "workspace_search finds files by their contents"
	if near := nearest(keys, key); near != nil {
		hint = "did you mean " + strings.Join(near, ", or ") + "?"
	}
	return Refuse(string(diag.DocPathUnknown), "no file has the docPath %q; %s", key, hint)
}

// nearest returns the docPaths that are most similar to `key`. Files with the same name come first, then files whose
// name differs in a few letters.
func nearest(keys []string, key string) []string {
	type scored struct {
		key   string
		score int
	}
	var like []scored
	name := path.Base(filepath.ToSlash(key))
	for _, k := range keys {
		if d := distance(path.Base(k), name); d <= len(name)/3 {
			like = append(like, scored{k, d*1000 + distance(k, key)})
		}
	}
	slices.SortFunc(like, func(a, b scored) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.key, b.key)) })
	return text.Each(like[:min(len(like), maxNear)], func(l scored) string { return fmt.Sprintf("%q", l.key) })
}

func distance(a, b string) int {
	const longest = 200
	return place.Distance(a[max(0, len(a)-longest):], b[max(0, len(b)-longest):])
}

const maxVisited = 100_000

// files returns the paths of the regular files in a folder, beginning with the outermost folders. It includes open
// documents that were never saved. It leaves out files that git ignores, files without a docPath, links, and unreadable
// files. It stops early if `ctx` ends, or after maxVisited names.
func files(ctx context.Context, folder Folder) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		visited := 0
		for dirs := []string{"."}; len(dirs) > 0 && ctx.Err() == nil; {
			found, below := level(ctx, folder, dirs, maxVisited-visited)
			visited += len(found) + len(below)
			for _, p := range found {
				if !yield(p) {
					return
				}
			}
			dirs = below
		}
		for _, a := range folder.Active {
			if _, err := fs.Stat(folder.Tree, a.Path); err == nil && paths.HasDocPath(a.Path) && !onDisk(folder, a.Path) && !yield(a.Path) {
				return
			}
		}
	}
}

func onDisk(folder Folder, p string) bool {
	entries, err := fs.ReadDir(folder.Tree, path.Dir(p))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == path.Base(p) })
}

// level returns the files and the folders directly in the folders `dirs`, which are all at the same depth. It reads at
// most `most` names. It calls git once, and leaves out the names that git ignores. If git fails, no name counts as
// ignored.
func level(ctx context.Context, folder Folder, dirs []string, most int) (found, below []string) {
	var names []string
	isDir := map[string]bool{}
	for _, dir := range dirs {
		entries, err := fs.ReadDir(folder.Tree, dir)
		if err != nil || ctx.Err() != nil {
			continue
		}
		for _, e := range entries {
			if p := path.Join(dir, e.Name()); len(names) < most && paths.HasDocPath(e.Name()) && (e.IsDir() || e.Type().IsRegular()) {
				names, isDir[p] = append(names, p), e.IsDir()
			}
		}
	}
	ignored, err := git.Ignored(ctx, folder.Dir, names)
	if err != nil {
		ignored = nil
	}
	for _, p := range names {
		switch {
		case ignored[p]:
		case isDir[p]:
			below = append(below, p)
		default:
			found = append(found, p)
		}
	}
	return found, below
}
