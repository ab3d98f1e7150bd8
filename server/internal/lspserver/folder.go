package lspserver

import (
	"path/filepath"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// A folder is a workspace folder. The paths in a reply are relative to a folder.
type folder struct {
	uri  uri.URI
	dir  string // the path as the editor spells it, which may differ from root.Dir()
	root *disk.Root
	name string // the name of the folder in the editor, or "" if it has none
}

// relative returns the path of a file from the folder, with slashes. It returns false if the file is not in the folder.
func (f *folder) relative(file string) (string, bool) {
	for _, dir := range []string{f.dir, f.root.Dir()} {
		rel, err := filepath.Rel(dir, file)
		if err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

func (f *folder) uriOf(rel string) (uri.URI, bool) {
	return lspconv.URI(f.path(rel))
}

// path returns the absolute path of a file in the folder, in the editor's spelling of the folder.
func (f *folder) path(rel string) string { return filepath.Join(f.dir, filepath.FromSlash(rel)) }

// subfolder returns a folder inside f as a separate folder. It returns nil if that folder is missing, or if a symbolic
// link leads out of f. The root of the result need not be closed, because Go closes an [os.Root] that is no longer
// used.
func (f *folder) subfolder(rel string) *folder {
	if rel == "." {
		return f
	}
	inner, err := f.root.Canonical(rel)
	if err != nil {
		return nil
	}
	root, err := disk.Open(filepath.Join(f.root.Dir(), filepath.FromSlash(inner)))
	if err != nil {
		return nil
	}
	return &folder{f.uri, f.path(rel), root, ""}
}

// names returns the names by which a docPath can call a folder: the name in the editor, and the name that the command
// line would use.
func (f *folder) names() []string {
	base := filepath.Base(f.dir)
	if f.name == "" || f.name == base {
		return []string{base}
	}
	return []string{f.name, base}
}
