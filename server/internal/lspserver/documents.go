package lspserver

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Document is one version of an open document. It never changes, except for its cached
// answers.
type Document struct {
	URI        uri.URI
	LanguageID string
	Version    int32
	Text       string

	// Broken is the reason why Text may differ from the text in the editor, or "" if it
	// cannot. Nothing may be planned on a broken document. The document is sound again when
	// the client sends the whole text.
	Broken string

	// requested is true if the person asked for a check of this document, whatever its kind.
	// All versions of the document share it.
	requested *atomic.Bool
	dismissed *atomic.Bool // the person dismissed the problems of this document; all versions share it
	home      *home        // the folder of a reply whose document is in no open folder; all versions share it

	saved   func() bool // see [Document.Saved]
	clashes *clashes    // the clashes of this version
	compare func(*Document) diskState
}

// A Snapshot holds all open documents at one point of the stream. It never changes.
type Snapshot struct {
	// Broken is the reason why unknown documents may be missing or differ from the editor's,
	// or "" if none do. Nothing may be applied on a broken snapshot. Only restarting the
	// server helps.
	Broken string
	Number uint64 // the number of changes so far

	docs map[uri.URI]*Document
}

// Get returns the open document of u, or nil if it is not open.
func (s Snapshot) Get(u uri.URI) *Document { return s.docs[u] }

// All returns every open document, by its URI. The caller must not change the map.
func (s Snapshot) All() map[uri.URI]*Document { return s.docs }

// Documents holds the client's open documents.
type Documents struct {
	mu      sync.Mutex
	now     Snapshot
	changed chan struct{} // closed at the next change
	compare func(*Document) diskState

	arrivals map[*arrival]bool
}

// NewDocuments returns Documents without any open document.
func NewDocuments() *Documents {
	return &Documents{changed: make(chan struct{}), compare: compareWithDisk, arrivals: map[*arrival]bool{}}
}

// Register adds the notifications of text synchronization to table. The server
// capabilities must ask for incremental changes, and for open and close.
func (d *Documents) Register(table *rpc.Table) {
	rpc.OnNotification(table, protocol.MethodTextDocumentDidOpen, d.open)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidChange, d.change)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidSave, d.save)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidClose, d.close)
	rpc.OnNotification(table, protocol.MethodWorkspaceDidRenameFiles, d.renamed)
	rpc.OnNotification(table, protocol.MethodWorkspaceDidDeleteFiles, d.deleted)
}

// Snapshot returns the documents that are open now.
func (d *Documents) Snapshot() Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// watch returns the present snapshot, and a channel that is closed when it changes.
func (d *Documents) watch() (Snapshot, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now, d.changed
}

type snapshotKey struct{}

// Before puts the present snapshot into ctx, for [SnapshotOf]. It serves as
// [rpc.Options.Before].
func (d *Documents) Before(ctx context.Context) context.Context {
	return context.WithValue(ctx, snapshotKey{}, d.Snapshot())
}

// SnapshotOf returns the documents as they were when the call of ctx arrived.
func SnapshotOf(ctx context.Context) Snapshot {
	s, _ := ctx.Value(snapshotKey{}).(Snapshot)
	return s
}

// Lost breaks the snapshot, because a message was dropped that may have changed documents.
// It serves as [rpc.Options.Lost].
func (d *Documents) Lost(reason string) {
	d.update(func(next *Snapshot) {
		if next.Broken == "" {
			next.Broken = reason
		}
	})
}

// update makes the next snapshot. Earlier ones remain unchanged.
func (d *Documents) update(edit func(next *Snapshot)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now.docs = maps.Clone(d.now.docs)
	if d.now.docs == nil {
		d.now.docs = map[uri.URI]*Document{}
	}
	d.now.Number++
	edit(&d.now)
	close(d.changed)
	d.changed = make(chan struct{})
}

func (d *Documents) put(doc *Document) {
	d.update(func(next *Snapshot) {
		next.docs[doc.URI] = doc
		for a := range d.arrivals {
			a.note(doc)
		}
	})
}

// open adds a document. It copies the strings that it keeps, because decoded strings share
// memory with the message: a short URI would otherwise keep megabytes alive.
func (d *Documents) open(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	doc := d.first(p.TextDocument.URI, p.TextDocument.Version)
	doc.LanguageID, doc.Text = strings.Clone(string(p.TextDocument.LanguageID)), strings.Clone(p.TextDocument.Text)
	d.put(doc)
	d.lookSoon(doc, 0)
	return nil
}

// first returns the first known version of a document, still without its text.
func (d *Documents) first(u uri.URI, version int32) *Document {
	doc := &Document{
		URI:       uri.URI(strings.Clone(string(u))),
		Version:   version,
		requested: new(atomic.Bool),
		dismissed: new(atomic.Bool),
		home:      new(home),
		clashes:   new(clashes),
		compare:   d.compare,
	}
	doc.saved = doc.compared() // the editor may have restored text that has been unsaved for days
	return doc
}

// change makes the next version of a document. An invalid change breaks the document, because
// the server does not guess.
func (d *Documents) change(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	old := d.Snapshot().Get(p.TextDocument.URI)
	if old == nil {
		unopened := d.first(p.TextDocument.URI, p.TextDocument.Version)
		unopened.Broken = "it was changed before it was opened"
		d.put(unopened)
		return fmt.Errorf("a change of %s, which is not open", p.TextDocument.URI)
	}
	next := *old
	next.Version = p.TextDocument.Version
	text, healed, err := changed(old.Text, p.ContentChanges)
	switch {
	case err != nil:
		next.Broken = err.Error()
	case healed:
		next.Text, next.Broken = text, ""
	case next.Broken == "":
		next.Text = text
	}
	next.saved = next.compared() // the new text may have been read from disk, or be an earlier text after an undo
	next.clashes = new(clashes)
	d.put(&next)
	d.lookSoon(&next, quiet)
	if err != nil {
		return fmt.Errorf("changing %s to version %d: %w", next.URI, next.Version, err)
	}
	return nil
}

// save handles a save. The notification has a text only if the server asked for it, and that
// text must equal the known one.
func (d *Documents) save(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	old := d.Snapshot().Get(p.TextDocument.URI)
	if old == nil {
		return nil
	}
	next := *old
	if p.Text == nil || *p.Text == old.Text {
		next.saved = isSaved
		d.put(&next)
		return nil
	}
	next.Broken = "the editor saved another text than the server knows"
	d.put(&next)
	return fmt.Errorf("%s: %s", next.URI, next.Broken)
}

func (d *Documents) close(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	d.update(func(next *Snapshot) { delete(next.docs, p.TextDocument.URI) })
	return nil
}

// changed applies the content changes of one notification, each to the result of the changes before it
// (LSP 3.18, textDocument/didChange). whole is true if the result does not depend on src.
func changed(src string, changes []protocol.TextDocumentContentChangeEvent) (result string, whole bool, err error) {
	for len(changes) > 0 {
		switch change := changes[0].(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			src, whole, changes = strings.Clone(change.Text), true, changes[1:]
		case *protocol.TextDocumentContentChangePartial:
			edits, err := upward(text.NewLines(src), changes)
			if err != nil {
				return "", false, err
			}
			if src, err = text.Apply(src, edits); err != nil {
				return "", false, err
			}
			changes = changes[len(edits):]
		default:
			return "", false, fmt.Errorf("a content change of type %T", change)
		}
	}
	return src, whole, nil
}

// upward converts the first change, and following changes as long as each is above the one
// before it. Their positions then refer to the same text, so they can be made at once.
// Editors send a replace-all in this form; made one by one, each change would take a pass
// over the document.
func upward(lines *text.Lines, changes []protocol.TextDocumentContentChangeEvent) ([]text.Edit, error) {
	var edits []text.Edit
	for i, c := range changes {
		change, ok := c.(*protocol.TextDocumentContentChangePartial)
		if !ok {
			break
		}
		span := lspconv.Span(lines, change.Range)
		if i > 0 && !above(lines, change.Range.End, edits[i-1].Span.Start) {
			break
		}
		if before(change.Range.End, change.Range.Start) {
			return nil, fmt.Errorf("a content change that ends before it begins: %+v", change.Range)
		}
		edits = append(edits, text.Edit{Span: span, New: change.Text})
	}
	return edits, nil
}

// above reports whether position p is so far above offset that it means the same place before and
// after a change there. This is not certain if p lies beyond the end of its line, or directly at the
// change: a line feed inserted after a CR joins two line endings into one.
func above(lines *text.Lines, p protocol.Position, offset int) bool {
	at := lspconv.Offset(lines, p)
	return at < offset && lspconv.Position(lines, at) == p
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
