package lsptest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
)

// An Editor holds the buffers and the folder of a [Client]. Paths are relative to the folder
// and use `/`. A whole URI can be used instead.
type Editor struct {
	Dir string

	t testing.TB
	c *Client

	mu       sync.Mutex
	behavior Behavior
	buffers  map[uri.URI]*buffer
	applied  []*protocol.ApplyWorkspaceEditParams
	hold     bool // true while notifications must wait in the queue
	queue    []notification
}

type notification struct {
	method string
	params any
}

func newEditor(c *Client, dir string) *Editor {
	return &Editor{Dir: dir, t: c.t, c: c, buffers: map[uri.URI]*buffer{}}
}

func fileURI(path string) uri.URI { return uri.File(path) }

// URI returns the URI of path.
func (e *Editor) URI(path string) uri.URI {
	if strings.Contains(path, ":") {
		return uri.MustParse(path)
	}
	return fileURI(filepath.Join(e.Dir, filepath.FromSlash(path)))
}

// WriteDisk writes a file to the folder without notifying the editor.
func (e *Editor) WriteDisk(path, content string) {
	e.t.Helper()
	name := e.URI(path).FsPath()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		e.t.Fatal(err)
	}
}

// ReadDisk returns the bytes of a file on disk. It returns false if the file does not exist.
func (e *Editor) ReadDisk(path string) (string, bool) {
	b, err := os.ReadFile(e.URI(path).FsPath())
	return string(b), err == nil
}

// Text returns the text that the editor shows for a file: the text in its buffer or, if the file is
// not open, the text on disk.
func (e *Editor) Text(path string) (string, bool) {
	e.mu.Lock()
	b := e.buffers[e.URI(path)]
	e.mu.Unlock()
	if b == nil {
		content, ok := e.ReadDisk(path)
		return newBuffer(content).text, ok
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return b.text, true
}

// Open opens a file of the folder.
func (e *Editor) Open(path, languageID string) {
	e.t.Helper()
	content, ok := e.ReadDisk(path)
	if !ok {
		e.t.Fatalf("no file %s to open", path)
	}
	e.open(path, languageID, newBuffer(content))
}

// OpenText opens a document whose text is not on disk.
func (e *Editor) OpenText(path, languageID, text string) {
	b := newBuffer(text)
	b.dirty = true
	e.open(path, languageID, b)
}

func (e *Editor) open(path, languageID string, b *buffer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.show(e.URI(path), languageID, b)
	e.flush()
}

// show opens a buffer under a URI. The caller holds e.mu.
func (e *Editor) show(u uri.URI, languageID string, b *buffer) {
	b.languageID = languageID
	e.buffers[u] = b
	e.tell(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: u, LanguageID: protocol.LanguageKind(languageID), Version: b.version, Text: b.text,
	}})
}

// Type makes edits in an open document, like a person.
func (e *Editor) Type(path string, edits ...protocol.TextEdit) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.buffers[e.URI(path)]
	if b == nil {
		e.t.Fatalf("%s is not open", path)
	}
	if err := e.edit(e.URI(path), b, edits); err != nil {
		e.t.Fatal(err)
	}
	e.flush()
}

// edit changes a buffer and notifies the server. The caller holds e.mu.
func (e *Editor) edit(u uri.URI, b *buffer, edits []protocol.TextEdit) error {
	changes, err := b.edit(edits)
	if err != nil || len(changes) == 0 {
		return err
	}
	params := &protocol.DidChangeTextDocumentParams{ContentChanges: changes}
	params.TextDocument.URI, params.TextDocument.Version = u, b.version
	e.tell(protocol.MethodTextDocumentDidChange, params)
	return nil
}

// Save writes an open document to the disk.
func (e *Editor) Save(path string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.save(e.URI(path)); err != nil {
		e.t.Fatal(err)
	}
	e.flush()
}

// SaveAll saves all open documents of files that have unsaved text.
func (e *Editor) SaveAll() {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for u, b := range e.buffers {
		if !b.dirty || !u.IsFile() {
			continue
		}
		if err := e.save(u); err != nil {
			e.t.Fatal(err)
		}
	}
	e.flush()
}

func (e *Editor) save(u uri.URI) error {
	b := e.buffers[u]
	if err := os.WriteFile(u.FsPath(), []byte(b.bytes()), 0o644); err != nil {
		return err
	}
	b.dirty = false
	params := &protocol.DidSaveTextDocumentParams{}
	params.TextDocument.URI = u
	e.tell(protocol.MethodTextDocumentDidSave, params)
	return nil
}

// Close closes a document and discards unsaved text.
func (e *Editor) Close(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.close(e.URI(path))
	e.flush()
}

func (e *Editor) close(u uri.URI) {
	delete(e.buffers, u)
	params := &protocol.DidCloseTextDocumentParams{}
	params.TextDocument.URI = u
	e.tell(protocol.MethodTextDocumentDidClose, params)
}

// documents answers aptix/documents.
func (e *Editor) documents(uris []string) aptix.DocumentsResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := aptix.DocumentsResult{Documents: []aptix.OpenDocument{}}
	for _, u := range uris {
		if b := e.buffers[uri.URI(u)]; b != nil {
			sum := sha256.Sum256([]byte(strings.ReplaceAll(b.text, "\r\n", "\n")))
			r.Documents = append(r.Documents, aptix.OpenDocument{URI: u, Version: b.version, SHA256: hex.EncodeToString(sum[:])})
		}
	}
	return r
}

// Dirty reports whether a document is open with unsaved text.
func (e *Editor) Dirty(path string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.buffers[e.URI(path)]
	return b != nil && b.dirty
}

// tell puts a notification into a queue, and flush sends the queue. The caller of each of them
// holds e.mu, which keeps versions in order.
func (e *Editor) tell(method string, params any) {
	e.queue = append(e.queue, notification{method, params})
}

func (e *Editor) flush() {
	if e.hold {
		return
	}
	e.send()
}

func (e *Editor) send() {
	for _, n := range e.queue {
		e.c.Notify(n.method, n.params)
	}
	e.queue = nil
}

// beforeCall sends the notifications that wait for the answer to an edit. The server may end an apply before that answer
// has released them, but a document that was opened before a call must not be announced after it.
func (e *Editor) beforeCall() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.behavior.Tell != TellRelease {
		e.send()
	}
}
