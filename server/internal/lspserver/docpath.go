package lspserver

import (
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/docpath"
)

// docPaths returns the index of docPaths for edits of files of v. A docPath cannot mean a
// file of another workspace folder, but if such a file has the same key, the key means
// neither file.
func (s *Server) docPaths(v view) docpath.LookupFunc {
	all := docpath.Folders{v.keys()}
	for _, f := range s.openedFolders() {
		if f.dir != v.dir {
			all = append(all, docpath.Folder{Names: f.names(), Tree: f.root.Tree(nil)})
		}
	}
	return all.In(0)
}

// names returns the names of a folder in docPaths: the editor's name for it, and the one
// that the command line would use.
func (f *folder) names() []string {
	base := filepath.Base(f.dir)
	if f.name == "" || f.name == base {
		return []string{base}
	}
	return []string{f.name, base}
}
