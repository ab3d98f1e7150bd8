// Package editor changes files through an editor: it sends the changes, waits for them, and verifies them.
//
// # What the editor and the server write
//
// A [Writer] splits a plan in two. The editor makes every change that it can also undo. The server writes the rest:
// binary content, symbolic links, folders and executable bits. The server first writes its part in a disk transaction,
// and sends the editor's part before the transaction ends. If the editor's part fails, or the server dies before the
// editor has responded, the server's part is rolled back. An editor with opensTouched: false may have files open that
// it does not report, so it gets edits only for files whose documents it reports.
//
// The editor makes one workspace edit, with the file operations before the text edits, because only then does one undo
// restore everything. Open documents are edited in the version for which the plan was made, so the editor refuses the
// edit if someone typed in between. Then the server looks at every file. A partial edit is undone by its inverse,
// except in files in which the person has typed since. If another program changed a file, the server does not change it
// again, and the result names it.
//
// # Waiting for the editor
//
// A busy editor reports its documents long after it responded to the edit, so no clock decides that an edit was not
// made. After the response, the server sends a request to which the editor responds after everything that it sent
// before (barrier.go). VS Code responds to aptix/documents with the version and hash of each document. Any other editor
// may still hold changes back, so the server sends it a second request before it decides. Meanwhile a progress message
// has a button that ends the wait. The button does not decide whether the edit was made: no other change is made until
// the editor has responded. If the connection ends, the record in the history stays pending, and the next start decides
// from the files.
package editor

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// An Editor is the client of a connection. The methods that wait for its response must not be used by handlers of
// notifications: while a handler runs, no response can be read.
type Editor struct {
	protocol.Client
	conn     *rpc.Conn
	docs     *documents.Set
	stateDir string // the folder for the journal of the server's own writes

	mu      sync.Mutex
	can     protocol.ClientCapabilities
	options Options
	begun   int                           // how many tasks had their progress shown
	running map[string]context.CancelFunc // key: the token of the progress
}

// New returns the editor at the other end of a connection. It registers the handler of the editor's cancel button in
// `table`.
func New(conn *rpc.Conn, table *rpc.Table, docs *documents.Set, stateDir string) *Editor {
	e := &Editor{Client: protocol.ClientDispatcher(conn.Raw()), conn: conn, docs: docs, stateDir: stateDir, running: map[string]context.CancelFunc{}}
	rpc.OnNotification(table, protocol.MethodWindowWorkDoneProgressCancel, e.cancel)
	return e
}

// Options are the initializationOptions of an editor.
type Options struct {
	// Trusted is false if the person does not trust the workspace, so that nothing is ever applied. It is nil if the
	// editor does not report whether workspaces are trusted.
	Trusted *bool `json:"trusted"`
	// OpensTouched is true if the editor opens every document that it edits, and reports it to the server, so that an
	// unreported file was not touched. It is false if the editor may have documents open that it never reports; the
	// editor then gets no edits for files that it does not report.
	OpensTouched *bool `json:"opensTouched"`
	// Schemas is true if the editor has the JSON Schemas of documents named *.aptix.json, so that it completes and
	// explains members and values itself.
	Schemas bool `json:"schemas"`
	// HoverProblems is true if the editor's own hovers show the problems at a place, so that ours leave them out.
	HoverProblems bool `json:"hoverProblems"`
	// Documents is true if the editor handles aptix/documents.
	Documents bool `json:"documents"`
	// Offers is true if the editor handles aptix/offer and aptix/show.
	Offers bool `json:"offers"`
}

// Learn stores the editor's capabilities and options. It returns an error if its initializationOptions are invalid.
func (e *Editor) Learn(p *protocol.InitializeParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.can = p.Capabilities
	if len(p.InitializationOptions) == 0 {
		return nil
	}
	return json.Unmarshal(p.InitializationOptions, &e.options)
}

// Options returns the initializationOptions of the editor.
func (e *Editor) Options() Options {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.options
}

// Capabilities returns the capabilities that the editor reported.
func (e *Editor) Capabilities() protocol.ClientCapabilities {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.can
}

// EditCapabilities returns the editor's capabilities for workspace edits, or nil if it reported none.
func (e *Editor) EditCapabilities() *protocol.WorkspaceEditClientCapabilities {
	if can := e.Capabilities().Workspace; can != nil {
		return can.WorkspaceEdit
	}
	return nil
}

func (e *Editor) operations() []protocol.ResourceOperationKind {
	if can := e.EditCapabilities(); can != nil {
		return can.ResourceOperations
	}
	return nil
}

// HasConfiguration reports whether the editor can send settings.
func (e *Editor) HasConfiguration() bool {
	can := e.Capabilities().Workspace
	return can != nil && Yes(can.Configuration)
}

// Yes reports whether an optional value is present and true.
func Yes(b *bool) bool { return b != nil && *b }
