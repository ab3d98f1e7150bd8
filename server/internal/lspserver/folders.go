package lspserver

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
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

func (s *Server) openFolder(u uri.URI, name string) {
	dir, ok := lspconv.Path(u)
	if !ok {
		s.conn.Log().Warn("a workspace folder that is not on this machine is left out", zap.String("uri", string(u)))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unreachable = append(s.unreachable, uri.URI(strings.Clone(string(u))))
		return
	}
	root, err := disk.Open(dir)
	if err != nil {
		s.conn.Log().Error("cannot open a workspace folder", zap.Error(err))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, &folder{uri.URI(strings.Clone(string(u))), dir, root, strings.Clone(name)})
}

func (s *Server) didChangeFolders(ctx context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.later(func() {
		for _, gone := range p.Event.Removed {
			s.closeFolder(gone.URI)
		}
		for _, added := range p.Event.Added {
			s.openFolder(added.URI, added.Name)
		}
		s.touch()
		s.tellHistory(ctx)
		s.announce()
	})
	return nil
}

// closeFolder forgets a folder. Its root stays open, because a call may be using it.
func (s *Server) closeFolder(u uri.URI) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = slices.DeleteFunc(slices.Clone(s.folders), func(f *folder) bool { return f.uri == u })
	s.unreachable = slices.DeleteFunc(slices.Clone(s.unreachable), func(f uri.URI) bool { return f == u })
}

// nowhere returns the reason why the paths of a reply in document u cannot name files, or "" if they can. The only
// such reason is that the document's folder is not on a disk of this machine.
func (s *Server) nowhere(u uri.URI) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.unreachable {
		if len(s.folders) == 0 || string(u) == string(f) || strings.HasPrefix(string(u), strings.TrimSuffix(string(f), "/")+"/") {
			return fmt.Sprintf("the folder %s is not on a disk of this machine, and Aptix changes files only on a disk; open a clone of the folder", f)
		}
	}
	return ""
}

func (s *Server) closeFolders() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		_ = f.root.Close()
	}
	s.folders = nil
}

// folderOf returns the folder to which the paths of a reply in document u are relative, or nil if there is none. That
// is the workspace folder of the document. For the file of an ap patch, it is the folder of this file, provided that
// it lies in a workspace folder (rule A12).
func (s *Server) folderOf(u uri.URI) *folder {
	if s.nowhere(u) != "" {
		return nil
	}
	file, ok := lspconv.Path(u)
	if f, named := check.OfFile(string(u)); !ok || !named || !f.BesideFile {
		return s.workspaceFolder(u)
	}
	if f := s.workspaceFolder(u); f != nil {
		if rel, inside := f.relative(file); inside {
			return f.subfolder(path.Dir(rel))
		}
	}
	return nil
}

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

// workspaceFolder returns the innermost workspace folder that contains a document. A document outside of all folders
// gets its [documents.Home] or, if that is unknown, the first folder.
func (s *Server) workspaceFolder(u uri.URI) *folder {
	home := uri.URI("")
	if doc := s.docs.Snapshot().Get(u); doc != nil {
		home, _ = doc.About.Home.Found.Load().(uri.URI)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var best *folder
	if file, ok := documents.FileOf(u); ok {
		for _, f := range s.folders {
			if _, holds := f.relative(file); holds && (best == nil || len(f.dir) > len(best.dir)) {
				best = f
			}
		}
	}
	if best == nil && len(s.folders) > 0 {
		best = s.folders[max(0, slices.IndexFunc(s.folders, func(f *folder) bool { return f.uri == home }))]
	}
	return best
}

// A view is a folder as the editor shows it: its files on disk, and over them the open documents of one snapshot.
type view struct {
	*folder
	tree      *disk.Tree
	open      map[string]*documents.Document // key: the canonical path from the folder
	notebooks map[string]bool                // the notebooks whose cells are open, by canonical path
}

func (f *folder) view(snapshot documents.Snapshot) view {
	v := view{folder: f, open: map[string]*documents.Document{}, notebooks: f.notebooks(snapshot)}
	texts, docs := map[string]string{}, map[string]*documents.Document{}
	for u, doc := range snapshot.All() {
		file, ok := lspconv.Path(u)
		if !ok {
			continue
		}
		rel, ok := f.relative(file)
		if !ok {
			continue
		}
		if doc.Saved() && v.isGone(rel) {
			continue
		}
		texts[rel], docs[rel] = doc.Text, doc
	}
	v.tree = f.root.Tree(texts)
	for rel, key := range v.tree.Buffers() {
		v.open[key] = docs[rel]
	}
	return v
}

// isGone reports whether no file exists at a path on disk. The editor may still have its document open: if another
// program deletes a file, an editor keeps the document for a while. If such a document has no unsaved text, its file
// counts as missing.
func (v view) isGone(rel string) bool {
	_, err := v.root.Tree(nil).Lstat(rel)
	return fspath.Missing(err)
}

// notebooks returns the files of the folder that the editor shows as notebooks. The keys are canonical paths.
func (f *folder) notebooks(snapshot documents.Snapshot) map[string]bool {
	shown := map[string]bool{}
	for u := range snapshot.All() {
		file, ok := documents.NotebookOf(u)
		if !ok {
			continue
		}
		if rel, inside := f.relative(file); inside {
			if key, err := f.root.Canonical(rel); err == nil {
				shown[key] = true
			}
		}
	}
	return shown
}

// docPaths returns the index of docPaths for edits of files in v. A docPath never means a file of another workspace
// folder. But if a file of another folder has the same docPath, the docPath means neither file.
func (s *Server) docPaths(v view) docpath.LookupFunc {
	all := docpath.Folders{v.keys()}
	for _, f := range s.openedFolders() {
		if f.dir != v.dir {
			all = append(all, docpath.Folder{Names: f.names(), Tree: f.root.Tree(nil)})
		}
	}
	return all.In(0)
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
