package lspserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A diskState is how the file of an open document stands to its text.
type diskState int

const (
	unknown diskState = iota // no file that can be read as text
	asShown                  // line endings and BOM aside, which are the editor's affair
	another                  // it holds another text
)

// onDisk looks at the file of a document.
func (doc *Document) onDisk() diskState {
	name, ok := lspconv.Path(doc.URI)
	if !ok {
		return unknown
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return unknown
	}
	if !text.MayFill(doc.Text, info.Size()) {
		return another // told without reading the file at each key
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return unknown
	}
	if _, _, err := text.Decode(string(raw)); err != nil {
		return unknown
	}
	if sameText(doc.Text, text.Content{Exists: true, Data: string(raw)}) {
		return asShown
	}
	return another
}

// overtaken reports whether somebody else changed the file since the editor read or
// wrote it. An edit of such a document, once saved, would undo that change, and nobody
// would be told.
func (doc *Document) overtaken() bool { return doc.Saved && doc.onDisk() == another }

// renamed and deleted are about what an editor did itself. It may keep a document under
// the old name; unsaved text is no longer there, as it went with the file.
func (d *Documents) renamed(_ context.Context, p *protocol.RenameFilesParams) error {
	for _, f := range p.Files {
		d.left(f.OldURI)
	}
	return nil
}

func (d *Documents) deleted(_ context.Context, p *protocol.DeleteFilesParams) error {
	for _, f := range p.Files {
		d.left(f.URI)
	}
	return nil
}

// left marks the documents of a file, or of all in a folder.
func (d *Documents) left(name string) {
	gone, ok := lspconv.Path(uri.URI(name))
	if !ok {
		return
	}
	d.update(func(now *Snapshot) {
		for u, doc := range now.docs {
			if file, ok := lspconv.Path(u); ok && (file == gone || strings.HasPrefix(file, gone+string(filepath.Separator))) {
				next := *doc
				next.Saved = true
				now.docs[u] = &next
			}
		}
	})
}
