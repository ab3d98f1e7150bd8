package lspserver

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
)

func (s *Server) executeCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (any, error) {
	var target aptix.Target
	if len(p.Arguments) != 1 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument; it got %d", p.Command, len(p.Arguments))
	}
	if p.Command == aptix.CommandSkip {
		return nil, s.skipPart(ctx, json.RawMessage(p.Arguments[0]))
	}
	if p.Command == aptix.CommandRevert {
		return s.revertCommand(ctx, json.RawMessage(p.Arguments[0]))
	}
	if err := json.Unmarshal(p.Arguments[0], &target); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {uri, block}: %v", p.Command, err)
	}
	switch p.Command {
	case aptix.CommandApply:
		r, err := s.apply(ctx, target)
		s.tell(ctx, r.Verified, r.Message, err)
		return r, err
	case aptix.CommandPreview:
		return s.showPreview(ctx, target)
	case aptix.CommandCheck:
		return nil, s.request(ctx, target)
	case aptix.CommandDismiss:
		return nil, s.dismiss(ctx, target)
	case aptix.CommandFeedback:
		return s.feedback(ctx, target)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
}

func (s *Server) feedback(ctx context.Context, target aptix.Target) (aptix.FeedbackResult, error) {
	c, err := s.checkWanted(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return aptix.FeedbackResult{}, err
	}
	if len(c.Blocks) == 0 {
		return aptix.FeedbackResult{Text: check.Request}, nil
	}
	for i := range c.Unread {
		c.Unread[i].Sure = true // the person requested the feedback, so it names doubtful parts, too
	}
	return aptix.FeedbackResult{Text: c.Feedback(ctx)}, nil
}

// tell shows the person the result of a change in editors other than VS Code, because these ignore the results of
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
	if err := s.editor.ShowMessage(ctx, &protocol.ShowMessageParams{Type: kind, Message: "Aptix: " + message}); err != nil {
		s.conn.Log().Error("the result of a change could not be sent to the editor", zap.Error(err))
	}
}
