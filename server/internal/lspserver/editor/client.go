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
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ApplyEdit sends an edit to the editor. A null result means that the editor did not apply the edit.
func (e *Editor) ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	result, err := e.Client.ApplyEdit(ctx, p)
	if err == nil && result == nil {
		result = &protocol.ApplyWorkspaceEditResult{}
	}
	return result, err
}

// Ask shows `message` and `buttons`, and returns the title of the button that the person chose, or "".
func (e *Editor) Ask(ctx context.Context, kind protocol.MessageType, message string, buttons ...string) (string, error) {
	p := &protocol.ShowMessageRequestParams{Type: kind, Message: escape.Message(message)}
	p.Actions = text.Each(buttons, func(title string) protocol.MessageActionItem { return protocol.MessageActionItem{Title: title} })
	chosen, err := e.ShowMessageRequest(ctx, p)
	if failed, ok := errors.AsType[*jsonrpc2.Error](err); ok && failed.Code == jsonrpc2.MethodNotFound {
		return "", fmt.Errorf("this editor cannot show questions, so nothing was changed; `aptix apply` asks in a terminal: %s", p.Message)
	}
	if err != nil || chosen == nil {
		return "", err
	}
	return chosen.Title, nil
}

// ShowMessage shows a message without buttons.
func (e *Editor) ShowMessage(ctx context.Context, p *protocol.ShowMessageParams) error {
	return e.Client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: p.Type, Message: escape.Message(p.Message)})
}

// Settings requests the settings of Aptix from the editor.
func (e *Editor) Settings(ctx context.Context) ([]protocol.LSPAny, error) {
	return e.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new("aptix")}}})
}

// Status sends the state of a document's blocks for a status bar.
func (e *Editor) Status(ctx context.Context, status aptix.Status) error {
	return e.conn.Raw().Notify(ctx, aptix.MethodStatus, status)
}

// Offer asks the person about a change, which the editor shows with the question. If `ctx` ends before the answer, the
// editor withdraws the question.
func (e *Editor) Offer(ctx context.Context, p aptix.OfferParams) (accepted bool, err error) {
	var r aptix.OfferResult
	p.Agent, p.Question = escape.Label(p.Agent), escape.Message(p.Question)
	err = protocol.Call(ctx, e.conn.Raw(), aptix.MethodOffer, p, &r)
	return r.Accepted, err
}

// Question asks the person whether to make a change that they requested.
func (e *Editor) Question(ctx context.Context, p aptix.QuestionParams) (accepted bool, err error) {
	p.Title = escape.Message(p.Title)
	for i, reason := range p.Reasons {
		p.Reasons[i] = escape.Message(reason)
	}
	var r aptix.QuestionResult
	err = protocol.Call(ctx, e.conn.Raw(), aptix.MethodQuestion, p, &r)
	return r.Accepted, err
}

// AgentChange tells the person about a change that an agent made.
func (e *Editor) AgentChange(ctx context.Context, p aptix.AgentChange) error {
	p.Agent = escape.Label(p.Agent)
	return e.conn.Raw().Notify(ctx, aptix.MethodAgentChange, p)
}

// Show makes the editor show a change to the person.
func (e *Editor) Show(ctx context.Context, p aptix.PreviewResult) error {
	return e.conn.Raw().Notify(ctx, aptix.MethodShow, p)
}

// HistoryChanged tells the editor that the history has changed.
func (e *Editor) HistoryChanged(ctx context.Context) error {
	return e.conn.Raw().Notify(ctx, aptix.MethodHistoryChanged, struct{}{})
}

// Documents requests the state of documents from the editor.
func (e *Editor) Documents(ctx context.Context, uris []uri.URI) (map[uri.URI]aptix.OpenDocument, error) {
	p := aptix.DocumentsParams{URIs: []string{}}
	p.URIs = append(p.URIs, text.Each(uris, func(u uri.URI) string { return string(u) })...)
	var r aptix.DocumentsResult
	if err := protocol.Call(ctx, e.conn.Raw(), aptix.MethodDocuments, p, &r); err != nil {
		return nil, err
	}
	held := map[uri.URI]aptix.OpenDocument{}
	for _, doc := range r.Documents {
		held[lspconv.Canonical(doc.URI)] = doc
	}
	return held, nil
}
