package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// tell shows the result of a change in an editor that sends commands but ignores their
// answers. Our own extension shows the result itself.
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
