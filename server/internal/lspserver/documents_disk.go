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
	unknown diskState = iota // no file that can be read as text
	asShown                  // equal except for line endings and byte order mark, which are the editor's affair
	another                  // the file holds another text
)

// compareWithDisk compares a document with its file. It may wait for the disk, so that no
// notification may call it.
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

// A saving records whether one version of a document is saved. It is determined once.
type saving struct {
	once  sync.Once
	saved bool
}

// Saved reports whether the editor opened, saved or reloaded exactly this text, so that it
// assumes the file on disk to hold it. It may wait for the disk.
func (doc *Document) Saved() bool {
	doc.saving.once.Do(func() { doc.saving.saved = doc.compare(doc) == asShown })
	return doc.saving.saved
}

// isSaved returns the saving of a version that is known to be saved.
func isSaved() *saving {
	s := &saving{saved: true}
	s.once.Do(func() {})
	return s
}

// lookSoon finds out whether a document is saved, after some time: at the next pause of a
// person who types. If the document has changed by then, it is left to the next look. If it
// were determined only before an apply, another program could have changed the file since.
func (d *Documents) lookSoon(doc *Document, after time.Duration) {
	time.AfterFunc(after, func() {
		if d.Snapshot().Get(doc.URI) == doc {
			doc.Saved()
		}
	})
}

// overtaken reports whether another program changed the file since the editor read or wrote
// it. Saving an edit of such a document would silently undo that change.
func (doc *Document) overtaken() bool { return doc.Saved() && doc.compare(doc) == another }

// renamed handles renames that an editor made itself. It may keep a document under the old
// name. Its unsaved text has moved with the file.
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

// left marks the documents of a file, or all those in a folder.
func (d *Documents) left(name string) {
	gone, ok := lspconv.Path(uri.URI(name))
	if !ok {
		return
	}
	d.update(func(now *Snapshot) {
		for u, doc := range now.docs {
			if file, ok := lspconv.Path(u); ok && (file == gone || strings.HasPrefix(file, gone+string(filepath.Separator))) {
				next := *doc
				next.saving = isSaved()
				now.docs[u] = &next
			}
		}
	})
}
