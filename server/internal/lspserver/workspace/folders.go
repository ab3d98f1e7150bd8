// Package workspace finds the folder of a path in a reply, and combines the folder's files with the open documents.
//
// A reply is for the workspace folder of its document. If the document is in none of several folders, the caller finds
// the folder by the reply's files, or asks the person, and stores the folder in the document (see [documents.Home]).
package workspace

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
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Folders are the workspace folders of an editor.
type Folders struct {
	docs *documents.Set

	mu          sync.Mutex
	open        []*Folder
	unreachable []uri.URI // workspace folders that are not on a disk of this machine
}

// New returns Folders without an open folder. `docs` has the folder that was found for each reply.
func New(docs *documents.Set) *Folders { return &Folders{docs: docs} }

// Add opens a workspace folder. A folder that is not on this machine is only stored, for messages.
func (w *Folders) Add(u uri.URI, name string) error {
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
	w.open = append(w.open, &Folder{uri.URI(strings.Clone(string(u))), dir, root, strings.Clone(name)})
	return nil
}

// Opened returns the folders that are open now.
func (w *Folders) Opened() []*Folder {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.open)
}

// ByURI returns the open folder with the given URI, or nil if there is none.
func (w *Folders) ByURI(u uri.URI) *Folder {
	return text.Find(w.Opened(), func(f *Folder) bool { return f.URI == u })
}

// Forget drops a folder. Its root stays open, because a call may be using it.
func (w *Folders) Forget(u uri.URI) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = slices.DeleteFunc(slices.Clone(w.open), func(f *Folder) bool { return f.URI == u })
	w.unreachable = slices.DeleteFunc(slices.Clone(w.unreachable), func(f uri.URI) bool { return f == u })
}

// Nowhere returns the reason why the paths of a reply in the document `u` cannot name files, or "". The only reason is
// that the document's folder is not on a disk of this machine.
func (w *Folders) Nowhere(u uri.URI) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.unreachable {
		if len(w.open) == 0 || string(u) == string(f) || strings.HasPrefix(string(u), strings.TrimSuffix(string(f), "/")+"/") {
			return fmt.Sprintf("the folder %s is not on a disk of this machine, and Aptix can change files only on such a disk; open a clone of the folder", f)
		}
	}
	return ""
}

// CloseAll closes all folders.
func (w *Folders) CloseAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.open {
		_ = f.Root.Close()
	}
	w.open = nil
}

// For returns the folder to which the paths of a reply in the document `u` are relative. This is the workspace folder
// of the document or, for the file of an ap patch in a workspace folder, the folder of the file (rule A12). For returns
// nil if there is no folder.
func (w *Folders) For(u uri.URI) *Folder {
	if w.Nowhere(u) != "" {
		return nil
	}
	file, ok := lspconv.Path(u)
	if f, named := check.OfFile(string(u)); !ok || !named || !f.BesideFile {
		return w.Innermost(u)
	}
	if f := w.Innermost(u); f != nil {
		if rel, inside := f.Relative(file); inside {
			return f.subfolder(path.Dir(rel))
		}
	}
	return nil
}

// Innermost returns the innermost workspace folder that contains a document. For a document outside of all folders, it
// returns the [documents.Home] or, if that is unknown, the first folder.
func (w *Folders) Innermost(u uri.URI) *Folder {
	home := uri.URI("")
	if doc := w.docs.Snapshot().Get(u); doc != nil {
		home, _ = doc.About.Home.Found.Load().(uri.URI)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var best *Folder
	if file, ok := documents.FileOf(u); ok {
		for _, f := range w.open {
			if _, holds := f.Relative(file); holds && (best == nil || len(f.Dir) > len(best.Dir)) {
				best = f
			}
		}
	}
	if best == nil && len(w.open) > 0 {
		best = w.open[max(0, slices.IndexFunc(w.open, func(f *Folder) bool { return f.URI == home }))]
	}
	return best
}

// DocPaths returns the function that looks up docPaths for edits of files in `v`. A docPath never means a file of
// another workspace folder, but if a file of another folder has the same docPath, the docPath means neither file.
func (w *Folders) DocPaths(v View) paths.LookupFunc {
	all := paths.Folders{v.Keys()}
	for _, f := range w.Opened() {
		if f.Dir != v.Dir {
			all = append(all, paths.Folder{Names: f.Names(), Tree: f.Root.Tree(nil)})
		}
	}
	return all.In(0)
}

// Holds reports whether a document is a file in a workspace folder, or a cell of a notebook in a workspace folder.
func (w *Folders) Holds(u uri.URI) bool {
	file, ok := documents.FileOf(u)
	f := w.Innermost(u)
	if !ok || f == nil {
		return false
	}
	_, inside := f.Relative(file)
	return inside
}

// Below returns the folders of an agent that are workspace folders or lie in a workspace folder. It leaves out all
// others.
func (w *Folders) Below(dirs []string) []*Folder {
	var found []*Folder
	for _, dir := range dirs {
		for _, f := range w.Opened() {
			rel, inside := f.Relative(dir)
			if inner := f.subfolder(rel); inside && inner != nil {
				found = append(found, inner)
				break
			}
		}
	}
	return found
}

// At returns the folder for a root from the history, or nil if no open folder is or contains that root.
func (w *Folders) At(root string) *Folder {
	folders := w.Opened()
	slices.SortFunc(folders, func(a, b *Folder) int { return len(b.Dir) - len(a.Dir) })
	for _, f := range folders {
		if rel, in := f.Relative(root); in {
			return f.subfolder(rel)
		}
	}
	return nil
}

// Recorded returns the path that the history has for a file. It returns false if no open folder contains the file.
func (w *Folders) Recorded(u uri.URI) (string, bool) {
	file, ok := lspconv.Path(u)
	if !ok {
		return "", false
	}
	for _, f := range w.Opened() {
		if rel, in := f.Relative(file); in {
			return filepath.Join(f.Root.Dir(), filepath.FromSlash(rel)), true
		}
	}
	return "", false
}

// A Folder is a workspace folder. The paths in a reply are relative to a folder.
type Folder struct {
	URI  uri.URI
	Dir  string // in the editor's spelling, which may differ from Root.Dir()
	Root *disk.Root
	Name string // the name in the editor, or ""
}

// Relative returns the path of a file relative to the folder, with slashes. It returns false if the file is not in the
// folder.
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

// subfolder returns a folder inside `f` as a separate folder. It returns nil if that folder is missing, or if a
// symbolic link leads out of `f`. The root of the result need not be closed, because Go closes an [os.Root] that is no
// longer used.
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

// Names returns the names of a folder in docPaths: the name in the editor, and the name that the command line would
// use.
func (f *Folder) Names() []string {
	base := filepath.Base(f.Dir)
	if f.Name == "" || f.Name == base {
		return []string{base}
	}
	return []string{f.Name, base}
}
