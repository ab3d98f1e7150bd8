package editor

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// Client sends requests to the editor. The methods that wait for an answer must not be used by handlers of
// notifications: while such a handler runs, no answer can be read.
type Client struct {
	protocol.Client
	conn jsonrpc2.Conn
}

// NewClient returns the client at the other end of a connection.
func NewClient(conn *rpc.Conn) Client {
	return Client{protocol.ClientDispatcher(conn.Raw()), conn.Raw()}
}

// ApplyEdit asks the editor to apply an edit. An answer of null means that the editor did not apply the edit.
func (c Client) ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	result, err := c.Client.ApplyEdit(ctx, p)
	if err == nil && result == nil {
		result = &protocol.ApplyWorkspaceEditResult{}
	}
	return result, err
}

// Ask shows message with buttons, and returns the title of the button that the person chose,
// or "".
func (c Client) Ask(ctx context.Context, kind protocol.MessageType, message string, buttons ...string) (string, error) {
	p := &protocol.ShowMessageRequestParams{Type: kind, Message: escape.Message(message)}
	for _, title := range buttons {
		p.Actions = append(p.Actions, protocol.MessageActionItem{Title: title})
	}
	chosen, err := c.ShowMessageRequest(ctx, p)
	if e, ok := errors.AsType[*jsonrpc2.Error](err); ok && e.Code == jsonrpc2.MethodNotFound {
		return "", fmt.Errorf("this editor cannot show questions, so nothing was changed; `aptix apply` asks in a terminal: %s", p.Message)
	}
	if err != nil || chosen == nil {
		return "", err
	}
	return chosen.Title, nil
}

// ShowMessage shows a message without buttons.
func (c Client) ShowMessage(ctx context.Context, p *protocol.ShowMessageParams) error {
	return c.Client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: p.Type, Message: escape.Message(p.Message)})
}

// Settings asks the editor for the settings of Aptix.
func (c Client) Settings(ctx context.Context) ([]protocol.LSPAny, error) {
	return c.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new("aptix")}}})
}

// Status sends the state of a document's blocks for a status bar.
func (c Client) Status(ctx context.Context, status aptix.Status) error {
	return c.conn.Notify(ctx, aptix.MethodStatus, status)
}

// Offer asks the person about a change, which the editor shows with the question. If ctx ends before the answer, the
// editor withdraws the question.
func (c Client) Offer(ctx context.Context, p aptix.OfferParams) (accepted bool, err error) {
	var r aptix.OfferResult
	p.Agent, p.Question = escape.Label(p.Agent), escape.Message(p.Question)
	err = protocol.Call(ctx, c.conn, aptix.MethodOffer, p, &r)
	return r.Accepted, err
}

// Question asks the person whether to make a change that they requested.
func (c Client) Question(ctx context.Context, p aptix.QuestionParams) (accepted bool, err error) {
	p.Title = escape.Message(p.Title)
	for i, reason := range p.Reasons {
		p.Reasons[i] = escape.Message(reason)
	}
	var r aptix.QuestionResult
	err = protocol.Call(ctx, c.conn, aptix.MethodQuestion, p, &r)
	return r.Accepted, err
}

// AgentChange tells the person about a change that an agent made.
func (c Client) AgentChange(ctx context.Context, p aptix.AgentChange) error {
	p.Agent = escape.Label(p.Agent)
	return c.conn.Notify(ctx, aptix.MethodAgentChange, p)
}

// Show asks the editor to show a change to the person.
func (c Client) Show(ctx context.Context, p aptix.PreviewResult) error {
	return c.conn.Notify(ctx, aptix.MethodShow, p)
}

// HistoryChanged tells the editor that the history has changed.
func (c Client) HistoryChanged(ctx context.Context) error {
	return c.conn.Notify(ctx, aptix.MethodHistoryChanged, struct{}{})
}

// Documents asks the editor for the state of documents.
func (c Client) Documents(ctx context.Context, uris []uri.URI) (map[uri.URI]aptix.OpenDocument, error) {
	p := aptix.DocumentsParams{URIs: []string{}}
	for _, u := range uris {
		p.URIs = append(p.URIs, string(u))
	}
	var r aptix.DocumentsResult
	if err := protocol.Call(ctx, c.conn, aptix.MethodDocuments, p, &r); err != nil {
		return nil, err
	}
	held := map[uri.URI]aptix.OpenDocument{}
	for _, doc := range r.Documents {
		held[uri.URI(doc.URI)] = doc
	}
	return held, nil
}
