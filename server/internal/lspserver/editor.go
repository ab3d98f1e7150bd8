package lspserver

import (
	"encoding/json"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// An Editor is the client of a connection: what it can do, and how to change files through it.
type Editor struct {
	Client
	conn     *rpc.Conn
	docs     *documents.Set
	stateDir string // the folder for the journal of the server's own writes
	progress *Progresses

	mu      sync.Mutex
	can     protocol.ClientCapabilities
	options options
}

// newEditor returns the editor at the other end of a connection. It registers in table the handler of the editor's
// cancel button.
func newEditor(conn *rpc.Conn, table *rpc.Table, docs *documents.Set, stateDir string) *Editor {
	client := NewClient(conn)
	return &Editor{Client: client, conn: conn, docs: docs, stateDir: stateDir, progress: NewProgresses(client, table)}
}

// options are the initializationOptions of an editor.
type options struct {
	// Trusted is false if the person does not trust the workspace. Then nothing is ever applied. Trusted is nil for
	// an editor that does not know whether workspaces are trusted.
	Trusted *bool `json:"trusted"`
	// OpensTouched is true if the editor opens every document that it edits, and reports it to the server. So an
	// unreported file was not touched. OpensTouched is false if the editor may have documents open that it never
	// reports. Such an editor is not asked to edit files that it does not report.
	OpensTouched *bool `json:"opensTouched"`
	// Schemas is true if the editor has the JSON Schemas of documents named *.aptix.json. It then completes and
	// explains members and values itself.
	Schemas bool `json:"schemas"`
	// HoverProblems is true if the editor's own hovers show the problems at a place, so that ours leave them out.
	HoverProblems bool `json:"hoverProblems"`
	// Documents is true if the editor answers aptix/documents.
	Documents bool `json:"documents"`
	// Offers is true if the editor answers aptix/offer and handles aptix/show.
	Offers bool `json:"offers"`
}

// Learn remembers what the editor can do. It returns an error if its initializationOptions are invalid.
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
func (e *Editor) Options() options {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.options
}

// Capabilities returns what the editor said it can do.
func (e *Editor) Capabilities() protocol.ClientCapabilities {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.can
}

// editCapabilities returns what the editor can do with workspace edits, or nil if it did not say so.
func (e *Editor) editCapabilities() *protocol.WorkspaceEditClientCapabilities {
	if can := e.Capabilities().Workspace; can != nil {
		return can.WorkspaceEdit
	}
	return nil
}

func (e *Editor) operations() []protocol.ResourceOperationKind {
	if can := e.editCapabilities(); can != nil {
		return can.ResourceOperations
	}
	return nil
}

// hasConfiguration reports whether the editor can send settings.
func (e *Editor) hasConfiguration() bool {
	can := e.Capabilities().Workspace
	return can != nil && isTrue(can.Configuration)
}

// isTrue reports whether an optional answer is there, and is yes.
func isTrue(b *bool) bool { return b != nil && *b }
