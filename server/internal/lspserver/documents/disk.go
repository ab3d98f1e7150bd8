package documents

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

type diskState int

const (
	// The document has no file that can be read as text.
	unknown diskState = iota
	// The file has the same text. Line endings and the byte order mark are not compared, because the editor chooses
	// them.
	asShown
	another // the file has a different text
)

// compareWithDisk compares a document with its file. It may wait for the disk, so handlers of notifications must not
// call it.
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
	if SameText(doc.Text, text.Content{Exists: true, Data: string(raw)}) {
		return asShown
	}
	return another
}

// Saved reports whether the editor opened, saved or reloaded exactly this text, so that the text counts as equal to the
// file on disk. Saved may wait for the disk.
func (doc *Document) Saved() bool { return doc.saved() }

// compared returns a function that compares the document with its file at the first call, and caches the result.
func (doc *Document) compared() func() bool {
	return sync.OnceValue(func() bool { return doc.compare(doc) == asShown })
}

// isSaved is the value of [Document.saved] for a version that was saved.
func isSaved() bool { return true }

// lookSoon compares this version of a document with its file after the given time, unless there is a newer version by
// then. The next apply would be too late for the comparison, because another program could change the file before it.
func (d *Set) lookSoon(doc *Document, after time.Duration) {
	time.AfterFunc(after, func() {
		if d.Snapshot().Get(doc.URI) == doc {
			doc.Saved()
		}
	})
}

// Overtaken reports whether another program changed the file since the editor read or wrote it. If the document were
// then edited and saved, the other program's change would be lost without a message.
func (doc *Document) Overtaken() bool { return doc.Saved() && doc.compare(doc) == another }

// renamed handles renames that the editor made itself. The editor may still show a document under the old name,
// although its unsaved text has moved with the file.
func (d *Set) renamed(_ context.Context, p *protocol.RenameFilesParams) error {
	for _, f := range p.Files {
		d.uriMovedAway(f.OldURI)
	}
	return nil
}

func (d *Set) deleted(_ context.Context, p *protocol.DeleteFilesParams) error {
	for _, f := range p.Files {
		d.uriMovedAway(f.URI)
	}
	return nil
}

func (d *Set) uriMovedAway(name string) {
	if gone, ok := lspconv.Path(uri.URI(name)); ok {
		d.MovedAway(gone)
	}
}

// MovedAway marks documents as saved if their file, or a folder above it, has moved away from the absolute path `gone`.
// Their unsaved text no longer belongs to a file.
func (d *Set) MovedAway(gone string) {
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

// SameText reports whether `now` equals the text of `c`, apart from line endings and byte order marks. A mark at the
// start of `now` is ignored, too, because an editor may insert the mark with the text of a new file.
func SameText(now string, c text.Content) bool {
	want, _, err := text.Decode(c.Data)
	if err != nil {
		return false
	}
	now = strings.TrimPrefix(now, "\ufeff")
	return now == want || text.WithEOL(now, text.LF) == text.WithEOL(want, text.LF)
}
