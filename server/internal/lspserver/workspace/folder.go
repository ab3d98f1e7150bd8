package workspace

import (
	"path/filepath"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// A Folder is a workspace folder. The paths in a reply are relative to a folder.
type Folder struct {
	URI  uri.URI
	Dir  string // the path as the editor spells it, which may differ from Root.Dir()
	Root *disk.Root
	Name string // the name of the folder in the editor, or "" if it has none
}

// Relative returns the path of a file from the folder, with slashes. It returns false if the file is not in the folder.
func (f *Folder) Relative(file string) (string, bool) {
	for _, dir := range []string{f.Dir, f.Root.Dir()} {
		rel, err := filepath.Rel(dir, file)
		if err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// URIOf returns the URI of a file of the folder. It returns false if the file has none.
func (f *Folder) URIOf(rel string) (uri.URI, bool) {
	return lspconv.URI(f.Path(rel))
}

// Path returns the absolute path of a file in the folder, in the editor's spelling of the folder.
func (f *Folder) Path(rel string) string { return filepath.Join(f.Dir, filepath.FromSlash(rel)) }

// subfolder returns a folder inside f as a separate folder. It returns nil if that folder is missing, or if a symbolic
// link leads out of f. The root of the result need not be closed, because Go closes an [os.Root] that is no longer
// used.
func (f *Folder) subfolder(rel string) *Folder {
	if rel == "." {
		return f
	}
	inner, err := f.Root.Canonical(rel)
	if err != nil {
		return nil
	}
	root, err := disk.Open(filepath.Join(f.Root.Dir(), filepath.FromSlash(inner)))
	if err != nil {
		return nil
	}
	return &Folder{f.URI, f.Path(rel), root, ""}
}

// Names returns the names by which a docPath can call a folder: the name in the editor, and the name that the command
// line would use.
func (f *Folder) Names() []string {
	base := filepath.Base(f.Dir)
	if f.Name == "" || f.Name == base {
		return []string{base}
	}
	return []string{f.Name, base}
}
