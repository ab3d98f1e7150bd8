package lspserver

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

// folders holds the workspace folders of an editor.
type folders struct {
	docs *documents.Set

	mu          sync.Mutex
	open        []*folder
	unreachable []uri.URI // workspace folders that are not on a disk of this machine
}

// newFolders returns folders without any open one. The documents tell which folder was found for a reply.
func newFolders(docs *documents.Set) *folders { return &folders{docs: docs} }

// add opens a workspace folder. A folder that is not on this machine is only remembered, for messages.
func (w *folders) add(u uri.URI, name string) error {
	dir, ok := lspconv.Path(u)
	if !ok {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.unreachable = append(w.unreachable, uri.URI(strings.Clone(string(u))))
		return fmt.Errorf("%s is not on this machine", u)
	}
	root, err := disk.Open(dir)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = append(w.open, &folder{uri.URI(strings.Clone(string(u))), dir, root, strings.Clone(name)})
	return nil
}

// opened returns the folders that are open now.
func (w *folders) opened() []*folder {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.open)
}

// named returns the open folder with a URI, or nil if there is none.
func (w *folders) named(u uri.URI) *folder {
	for _, f := range w.opened() {
		if f.uri == u {
			return f
		}
	}
	return nil
}

// remove forgets a folder. Its root stays open, because a call may be using it.
func (w *folders) remove(u uri.URI) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = slices.DeleteFunc(slices.Clone(w.open), func(f *folder) bool { return f.uri == u })
	w.unreachable = slices.DeleteFunc(slices.Clone(w.unreachable), func(f uri.URI) bool { return f == u })
}

// nowhere returns the reason why the paths of a reply in document u cannot name files, or "" if they can. The only
// such reason is that the document's folder is not on a disk of this machine.
func (w *folders) nowhere(u uri.URI) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.unreachable {
		if len(w.open) == 0 || string(u) == string(f) || strings.HasPrefix(string(u), strings.TrimSuffix(string(f), "/")+"/") {
			return fmt.Sprintf("the folder %s is not on a disk of this machine, and Aptix changes files only on a disk; open a clone of the folder", f)
		}
	}
	return ""
}

// closeAll closes all folders.
func (w *folders) closeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.open {
		_ = f.root.Close()
	}
	w.open = nil
}

// of returns the folder to which the paths of a reply in document u are relative, or nil if there is none. That is the
// workspace folder of the document. For the file of an ap patch, it is the folder of this file, provided that it lies in
// a workspace folder (rule A12).
func (w *folders) of(u uri.URI) *folder {
	if w.nowhere(u) != "" {
		return nil
	}
	file, ok := lspconv.Path(u)
	if f, named := check.OfFile(string(u)); !ok || !named || !f.BesideFile {
		return w.innermost(u)
	}
	if f := w.innermost(u); f != nil {
		if rel, inside := f.relative(file); inside {
			return f.subfolder(path.Dir(rel))
		}
	}
	return nil
}

// innermost returns the innermost workspace folder that contains a document. A document outside of all folders gets its
// [documents.Home] or, if that is unknown, the first folder.
func (w *folders) innermost(u uri.URI) *folder {
	home := uri.URI("")
	if doc := w.docs.Snapshot().Get(u); doc != nil {
		home, _ = doc.About.Home.Found.Load().(uri.URI)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var best *folder
	if file, ok := documents.FileOf(u); ok {
		for _, f := range w.open {
			if _, holds := f.relative(file); holds && (best == nil || len(f.dir) > len(best.dir)) {
				best = f
			}
		}
	}
	if best == nil && len(w.open) > 0 {
		best = w.open[max(0, slices.IndexFunc(w.open, func(f *folder) bool { return f.uri == home }))]
	}
	return best
}

// docPaths returns the index of docPaths for edits of files in v. A docPath never means a file of another workspace
// folder. But if a file of another folder has the same docPath, the docPath means neither file.
func (w *folders) docPaths(v view) docpath.LookupFunc {
	all := docpath.Folders{v.keys()}
	for _, f := range w.opened() {
		if f.dir != v.dir {
			all = append(all, docpath.Folder{Names: f.names(), Tree: f.root.Tree(nil)})
		}
	}
	return all.In(0)
}

// holds reports whether a document is in one of the folders.
func (w *folders) holds(u uri.URI) bool {
	file, ok := documents.FileOf(u)
	f := w.innermost(u)
	if !ok || f == nil {
		return false
	}
	_, inside := f.relative(file)
	return inside
}

// sub returns the folders of an agent that are workspace folders or lie in a workspace folder. It leaves out all others.
func (w *folders) sub(dirs []string) []*folder {
	var found []*folder
	for _, dir := range dirs {
		for _, f := range w.opened() {
			rel, inside := f.relative(dir)
			if inner := f.subfolder(rel); inside && inner != nil {
				found = append(found, inner)
				break
			}
		}
	}
	return found
}

// at returns the folder for a root from the history, or nil if no open folder is or contains that root.
func (w *folders) at(root string) *folder {
	folders := w.opened()
	slices.SortFunc(folders, func(a, b *folder) int { return len(b.dir) - len(a.dir) })
	for _, f := range folders {
		if rel, in := f.relative(root); in {
			return f.subfolder(rel)
		}
	}
	return nil
}

// recorded returns the path that the history has for a file. It returns false if no open folder contains the file.
func (w *folders) recorded(u uri.URI) (string, bool) {
	file, ok := lspconv.Path(u)
	if !ok {
		return "", false
	}
	for _, f := range w.opened() {
		if rel, in := f.relative(file); in {
			return filepath.Join(f.root.Dir(), filepath.FromSlash(rel)), true
		}
	}
	return "", false
}
