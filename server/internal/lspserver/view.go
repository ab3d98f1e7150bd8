package lspserver

import (
	"io/fs"
	"maps"
	"path"
	"slices"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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

// onDisk returns the content at a path on disk, without following a link. A content that cannot be read counts as
// missing.
func (v view) onDisk(name string) text.Content {
	now, err := check.Current(v.root.Tree(nil), name)
	if err != nil {
		return text.Content{}
	}
	return now
}

func (v view) keys() docpath.Folder {
	return docpath.Folder{Names: v.names(), Tree: v.tree, Open: v.paths()}
}

func (v view) paths() []string { return slices.Sorted(maps.Keys(v.open)) }

// unsaved reports whether a file is open with text that is not on disk. Line endings are not compared, because the
// editor may have changed them without the person.
func (v view) unsaved(path string) bool {
	doc := v.open[path]
	if doc == nil {
		return false
	}
	disk := v.onDisk(path)
	return !disk.Exists || !documents.SameText(doc.Text, disk)
}

func (v view) resolve(n format.FileName) (string, bool) {
	joined := path.Join(n.Root, n.Path)
	if n.DocPath || n.Path == "" || path.IsAbs(n.Root) || path.IsAbs(n.Path) || !fs.ValidPath(joined) {
		return "", false
	}
	name, err := v.root.Canonical(joined)
	return name, err == nil
}

// document returns the URI of a file. If the file is open, this is the URI that the editor uses for it. document
// returns false if the file does not exist.
func (v view) document(name string) (uri.URI, bool) {
	if doc := v.open[name]; doc != nil {
		return doc.URI, true
	}
	info, err := fs.Stat(v.tree, name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return v.uriOf(name)
}

// text returns the text of a file as the editor shows it, or "" if it is not a text file.
func (v view) text(name string) string {
	info, err := fs.Stat(v.tree, name)
	if err != nil || info.Size() > plan.MaxFile {
		return ""
	}
	_, decoded, _ := v.read(name)
	return decoded
}

// read returns the bytes of a file and its text, from the open document or else from the disk. It returns false if the
// file is missing or not text.
func (v view) read(name string) (data, decoded string, ok bool) {
	raw, err := fs.ReadFile(v.tree, name)
	if err != nil {
		return "", "", false
	}
	decoded, _, err = text.Decode(string(raw))
	return string(raw), decoded, err == nil
}

// sum returns the text of a file, and the SHA-256 by which a line patch must refer to it: see [view.read].
func (v view) sum(name string) (sum, decoded string, ok bool) {
	data, decoded, ok := v.read(name)
	return text.SumHex(data), decoded, ok
}

// resource returns the URI of a file of the folder. It returns "" if the file has none.
func (v view) resource(path string) string {
	u, _ := v.uriOf(path)
	return string(u)
}
