package lspserver

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

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
		return "", fmt.Errorf("this editor cannot ask, so nothing was changed; aptix apply asks in a terminal: %s", p.Message)
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

// tell shows the person the result of a change in editors other than VS Code, because these ignore the answers to
// commands. Our own extension shows results itself.
func (s *Server) tell(ctx context.Context, verified bool, message string, err error) {
	kind := protocol.MessageTypeInfo
	switch {
	case s.offers() || ctx.Err() != nil:
		return
	case err != nil:
		kind, message = protocol.MessageTypeError, err.Error()
	case !verified:
		kind = protocol.MessageTypeWarning
	}
	if err := s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: kind, Message: "Aptix: " + message}); err != nil {
		s.conn.Log().Error("the result of a change could not be sent to the editor", zap.Error(err))
	}
}
