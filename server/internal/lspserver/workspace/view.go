package workspace

import (
	"io/fs"
	"maps"
	"path"
	"slices"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A View is a folder as the editor shows it: its files on disk, and over them the open documents of one snapshot.
type View struct {
	*Folder
	Tree      *disk.Tree
	Open      map[string]*documents.Document // key: the canonical path, relative to the folder
	Notebooks map[string]bool                // the notebooks whose cells are open, by canonical path
}

// View returns the folder with the documents of a snapshot over its files.
func (f *Folder) View(snapshot documents.Snapshot) View {
	v := View{Folder: f, Open: map[string]*documents.Document{}, Notebooks: f.notebooks(snapshot)}
	texts, docs := map[string]string{}, map[string]*documents.Document{}
	for u, doc := range snapshot.All() {
		file, ok := lspconv.Path(u)
		if !ok {
			continue
		}
		rel, ok := f.Relative(file)
		if !ok {
			continue
		}
		if doc.Saved() && v.isGone(rel) {
			continue
		}
		texts[rel], docs[rel] = doc.Text, doc
	}
	v.Tree = f.Root.Tree(texts)
	for rel, key := range v.Tree.Buffers() {
		v.Open[key] = docs[rel]
	}
	return v
}

// isGone reports whether no file exists at a path on disk. If another program deletes a file, an editor keeps its
// document open for a while. If the document has no unsaved text, its file counts as missing.
func (v View) isGone(rel string) bool {
	_, err := v.Root.Tree(nil).Lstat(rel)
	return fspath.Missing(err)
}

// notebooks returns the files of the folder that the editor shows as notebooks. The keys are canonical paths.
func (f *Folder) notebooks(snapshot documents.Snapshot) map[string]bool {
	shown := map[string]bool{}
	for u := range snapshot.All() {
		file, ok := documents.NotebookOf(u)
		if !ok {
			continue
		}
		if rel, inside := f.Relative(file); inside {
			if key, err := f.Root.Canonical(rel); err == nil {
				shown[key] = true
			}
		}
	}
	return shown
}

// OnDisk returns the content at a path on disk, without following a link. Content that cannot be read counts as
// missing.
func (v View) OnDisk(name string) text.Content {
	now, err := check.Current(v.Root.Tree(nil), name)
	if err != nil {
		return text.Content{}
	}
	return now
}

// Keys returns the folder for looking up docPaths, with the open documents over its files.
func (v View) Keys() paths.Folder {
	return paths.Folder{Names: v.Names(), Tree: v.Tree, Open: v.Paths()}
}

// Paths returns the sorted paths of the open files.
func (v View) Paths() []string { return slices.Sorted(maps.Keys(v.Open)) }

// Unsaved reports whether a file is open with text that is not on disk. Line endings are not compared, because the
// editor may have changed them without the person.
func (v View) Unsaved(path string) bool {
	doc := v.Open[path]
	if doc == nil {
		return false
	}
	disk := v.OnDisk(path)
	return !disk.Exists || !documents.SameText(doc.Text, disk)
}

// Resolve returns the path of the file that a name in a reply means. It returns false if the name is a docPath, or
// cannot name a file of the folder.
func (v View) Resolve(n format.FileName) (string, bool) {
	joined := path.Join(n.Root, n.Path)
	if n.DocPath || n.Path == "" || path.IsAbs(n.Root) || path.IsAbs(n.Path) || !fs.ValidPath(joined) {
		return "", false
	}
	name, err := v.Root.Canonical(joined)
	return name, err == nil
}

// Document returns the URI of a file, in the editor's spelling if the file is open. It returns false if the file does
// not exist.
func (v View) Document(name string) (uri.URI, bool) {
	if doc := v.Open[name]; doc != nil {
		return doc.URI, true
	}
	info, err := fs.Stat(v.Tree, name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return v.URIOf(name)
}

// Text returns the text of a file as the editor shows it, or "" if it is not a text file.
func (v View) Text(name string) string {
	info, err := fs.Stat(v.Tree, name)
	if err != nil || info.Size() > plan.MaxFile {
		return ""
	}
	_, decoded, _ := v.read(name)
	return decoded
}

// read returns the bytes of a file and its text, from the open document or else from the disk. It returns false if the
// file is missing or not text.
func (v View) read(name string) (data, decoded string, ok bool) {
	raw, err := fs.ReadFile(v.Tree, name)
	if err != nil {
		return "", "", false
	}
	decoded, _, err = text.Decode(string(raw))
	return string(raw), decoded, err == nil
}

// Sum returns the text of a file, and the SHA-256 by which a line patch must refer to the file (see [View.read]).
func (v View) Sum(name string) (sum, decoded string, ok bool) {
	data, decoded, ok := v.read(name)
	return text.SumHex(data), decoded, ok
}

// Resource returns the URI of a file of the folder, or "" if the file has none.
func (v View) Resource(path string) string {
	u, _ := v.URIOf(path)
	return string(u)
}
