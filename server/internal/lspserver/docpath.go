package lspserver

import (
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/docpath"
)

// docPaths is the index of docPaths for edits of files of v: a file of
// another workspace folder cannot be meant, but makes a key of two files one of
// nobody.
func (s *Server) docPaths(v view) docpath.LookupFunc {
	all := docpath.Folders{v.keys()}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		if f.dir != v.dir {
			all = append(all, docpath.Folder{Names: f.names(), Tree: f.root.Tree(nil)})
		}
	}
	return all.In(0)
}

// names are what docPaths call a folder: what the editor does, and what the command
// line would.
func (f *folder) names() []string {
	base := filepath.Base(f.dir)
	if f.name == "" || f.name == base {
		return []string{base}
	}
	return []string{f.name, base}
}
