package lspserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A diskState compares the file of an open document with its text.
type diskState int

const (
	unknown diskState = iota // there is no file that can be read as text
	// The texts are equal, apart from line endings and the byte order mark, which the editor decides.
	asShown
	another // the file has another text
)

// compareWithDisk compares a document with its file. It may wait for the disk, so
// notifications must not call it.
func compareWithDisk(doc *Document) diskState {
	name, ok := lspconv.Path(doc.URI)
	if !ok {
		return unknown
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return unknown
	}
	if !text.MayFill(doc.Text, info.Size()) {
		return another
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

// Saved reports whether the editor opened, saved or reloaded exactly this text, and so
// believes that the file on disk has it. Saved may wait for the disk.
func (doc *Document) Saved() bool { return doc.saved() }

// compared returns a function that compares the document with its file, but only once.
func (doc *Document) compared() func() bool {
	return sync.OnceValue(func() bool { return doc.compare(doc) == asShown })
}

// isSaved serves as [Document.saved] of a version that is known to be saved.
func isSaved() bool { return true }

// lookSoon finds out after some time whether a version of a document is saved, unless there is a newer
// version by then. If the server waited until an apply, another program could have changed the file in
// between.
func (d *Documents) lookSoon(doc *Document, after time.Duration) {
	time.AfterFunc(after, func() {
		if d.Snapshot().Get(doc.URI) == doc {
			doc.Saved()
		}
	})
}

// overtaken reports whether another program changed the file since the editor read or wrote
// it. Saving an edit of the document would then silently undo that program's change.
func (doc *Document) overtaken() bool { return doc.Saved() && doc.compare(doc) == another }

// renamed handles renames that the editor made itself. The editor may still have a document under the
// old name, although the unsaved text has moved with the file.
func (d *Documents) renamed(_ context.Context, p *protocol.RenameFilesParams) error {
	for _, f := range p.Files {
		d.movedAway(f.OldURI)
	}
	return nil
}

func (d *Documents) deleted(_ context.Context, p *protocol.DeleteFilesParams) error {
	for _, f := range p.Files {
		d.movedAway(f.URI)
	}
	return nil
}

// movedAway marks the documents of a file, or of all files in a folder, that has moved away as saved:
// these documents no longer have unsaved text of a file.
func (d *Documents) movedAway(name string) {
	gone, ok := lspconv.Path(uri.URI(name))
	if !ok {
		return
	}
	d.update(func(now *Snapshot) {
		for u, doc := range now.docs {
			if file, ok := lspconv.Path(u); ok && (file == gone || strings.HasPrefix(file, gone+string(filepath.Separator))) {
				next := *doc
				next.saved = isSaved
				now.docs[u] = &next
			}
		}
	})
}
