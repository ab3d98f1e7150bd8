// Package documents has the documents that are open in an editor, and compares them with their files.
//
// An editor may notice only later that another program has written a file. If a document has the old text of its file
// and the file has a new text, [Document.Overtaken] returns true: the document must not be edited, because saving it
// would undo the other program's change.
//
// The goroutine that reads the connection never reads a disk in this package: a network folder that hangs must not
// delay typing or cancelling (TestDiskHangs).
package documents

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Document is one version of an open document. It never changes, except that it caches comparisons.
type Document struct {
	URI        uri.URI
	LanguageID string
	Version    int32
	Text       string

	// Broken is the reason why Text may differ from the text in the editor, or "". A change of a broken document must
	// not be planned. When the client sends the whole text, the next version is no longer broken.
	Broken string

	// About is shared by all versions of the document.
	About *About
	// NoMerge has the reasons why no merge with an earlier text is offered for problems of this version. The key is the
	// span of the problem, the value the reason.
	NoMerge *sync.Map

	saved   func() bool // returns the result of [Document.Saved]
	compare func(*Document) diskState
}

// About is the state of a document besides its text.
type About struct {
	Requested atomic.Bool // whether the person requested a check, even if this kind of document is not checked otherwise
	Dismissed atomic.Bool
	Agreed    sync.Map // the keys are the texts inside blocks that may write protected files without a question
	Home      Home     // the folder for a reply whose document is not in an open folder
}

// A Home is the folder to which the paths of a reply are relative. It is needed if several folders are open and the
// reply's document is in none of them. Each field has a [uri.URI], or nil while the folder is unknown.
type Home struct {
	Found  atomic.Value // the folder that has most files of the reply
	Chosen atomic.Value
}

// A Snapshot is the documents that were open after a certain message of the client. It never changes.
type Snapshot struct {
	// Broken is the reason why documents may be missing or may differ from the editor's documents, or "". It is unknown
	// which documents differ, so nothing may be applied on a broken snapshot, and only a restart of the server helps.
	Broken string
	Number uint64 // how many changes led to this snapshot

	docs map[uri.URI]*Document
}

// Get returns the open document with the URI `u`, or nil if it is not open.
func (s Snapshot) Get(u uri.URI) *Document { return s.docs[u] }

// All returns every open document, by its URI. The caller must not change the map.
func (s Snapshot) All() map[uri.URI]*Document { return s.docs }

// A Set is the open documents of one editor.
type Set struct {
	mu      sync.Mutex
	now     Snapshot
	changed chan struct{} // closed at the next change
	compare func(*Document) diskState

	arrivals map[*Arrival]bool
}

// Quiet is the pause after which a person is assumed to have stopped typing.
const Quiet = 120 * time.Millisecond

// New returns a Set without any open document.
func New() *Set {
	return &Set{changed: make(chan struct{}), compare: compareWithDisk, arrivals: map[*Arrival]bool{}}
}

// Register adds the notifications of text synchronization to `table`. The server's capabilities must request
// incremental changes, and notifications of opening and closing.
func (d *Set) Register(table *rpc.Table) {
	rpc.OnNotification(table, protocol.MethodTextDocumentDidOpen, d.open)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidChange, d.change)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidSave, d.save)
	rpc.OnNotification(table, protocol.MethodTextDocumentDidClose, d.close)
	rpc.OnNotification(table, protocol.MethodWorkspaceDidRenameFiles, d.renamed)
	rpc.OnNotification(table, protocol.MethodWorkspaceDidDeleteFiles, d.deleted)
}

// Snapshot returns the documents that are open now.
func (d *Set) Snapshot() Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// Watch returns the current snapshot, and a channel that is closed when the snapshot is out of date.
func (d *Set) Watch() (Snapshot, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now, d.changed
}

type snapshotKey struct{}

// Before puts the current snapshot into `ctx`, for [SnapshotOf]. It is used as [rpc.Options.Before].
func (d *Set) Before(ctx context.Context) context.Context {
	return context.WithValue(ctx, snapshotKey{}, d.Snapshot())
}

// SnapshotOf returns the documents as they were when the call of `ctx` arrived.
func SnapshotOf(ctx context.Context) Snapshot {
	s, _ := ctx.Value(snapshotKey{}).(Snapshot)
	return s
}

// Lost marks the snapshot as broken, because a message was dropped that may have changed documents. It is used as
// [rpc.Options.Lost].
func (d *Set) Lost(reason string) {
	d.update(func(next *Snapshot) {
		next.Broken = cmp.Or(next.Broken, reason)
	})
}

func (d *Set) update(edit func(next *Snapshot)) {
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

func (d *Set) put(doc *Document) {
	d.update(func(next *Snapshot) {
		next.docs[doc.URI] = doc
		for a := range d.arrivals {
			a.note(doc)
		}
	})
}

// open adds a document. It copies the strings that it keeps: decoded strings share the memory of their message, so a
// short URI would otherwise keep megabytes in memory.
func (d *Set) open(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	doc := d.first(p.TextDocument.URI, p.TextDocument.Version)
	doc.LanguageID, doc.Text = strings.Clone(string(p.TextDocument.LanguageID)), strings.Clone(p.TextDocument.Text)
	d.put(doc)
	d.lookSoon(doc, 0)
	return nil
}

func (d *Set) first(u uri.URI, version int32) *Document {
	doc := &Document{
		URI:     uri.URI(strings.Clone(string(u))),
		Version: version,
		About:   new(About),
		NoMerge: new(sync.Map),
		compare: d.compare,
	}
	// The text may be unsaved, because an editor can restore unsaved text of an earlier day.
	doc.saved = doc.compared()
	return doc
}

// change makes the next version of a document. If the change is invalid, the document becomes broken, because the text
// is never guessed.
func (d *Set) change(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	old := d.Snapshot().Get(p.TextDocument.URI)
	if old == nil {
		unopened := d.first(p.TextDocument.URI, p.TextDocument.Version)
		unopened.Broken = "it was changed before it was opened"
		d.put(unopened)
		return fmt.Errorf("a change to %s, which is not open", p.TextDocument.URI)
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
	// Compare with the file again: the editor may have read the new text from disk, or an undo may have restored it.
	next.saved = next.compared()
	next.NoMerge = new(sync.Map)
	d.put(&next)
	d.lookSoon(&next, Quiet)
	if err != nil {
		return fmt.Errorf("changing %s to version %d: %w", next.URI, next.Version, err)
	}
	return nil
}

// save handles a save. The notification contains the text only if the server requested it. That text must equal the
// text that the server has.
func (d *Set) save(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
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
	next.Broken = "the editor saved a text that differs from the text that the server knows"
	d.put(&next)
	return fmt.Errorf("%s: %s", next.URI, next.Broken)
}

func (d *Set) close(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	d.update(func(next *Snapshot) { delete(next.docs, p.TextDocument.URI) })
	return nil
}

// changed applies the content changes of one notification. Each change refers to the result of the changes before it
// (LSP 3.18, textDocument/didChange). `whole` is true if the result does not depend on `src`.
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

// upward converts the first changes of a list to edits, as long as each is above the change before it. The positions of
// these changes refer to the same text, so they can be made together. Editors send a replace-all in this order. If each
// change were made alone, each would need a pass over the whole document.
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

// above reports whether position `p` means the same place before and after a change at `offset`. It does if `p` is
// before the offset and not past the end of its line: a line feed that is inserted after a CR joins two line endings
// into one.
func above(lines *text.Lines, p protocol.Position, offset int) bool {
	at := lspconv.Offset(lines, p)
	return at < offset && lspconv.Position(lines, at) == p
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
