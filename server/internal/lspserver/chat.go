package lspserver

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/chat"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

func (s *Server) chatCheck(ctx context.Context, p *aptix.ChatDraft) (aptix.ChatCheck, error) {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &p.Text})
	if err != nil || len(c.Blocks) == 0 {
		return aptix.ChatCheck{}, err
	}
	answer := aptix.ChatCheck{Blocks: len(c.Blocks), Status: c.DraftStatus()}
	if !p.Complete {
		return answer, nil
	}
	if !c.Applicable() && p.Repairs < replies.MaxRepairs {
		answer.Feedback = c.Feedback(ctx)
	}
	answer.Open = c.Blocks[len(c.Blocks)-1].State == check.Incomplete
	answer.Note = c.DraftNote(p.Repairs, answer.Feedback != "")
	return answer, nil
}

func (s *Server) chatAnswer(ctx context.Context, p *aptix.ChatSession) (aptix.ChatAnswer, error) {
	last, err := chat.LastAnswer(p.JSON)
	if err != nil {
		return aptix.ChatAnswer{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	if last == nil {
		return aptix.ChatAnswer{State: aptix.ChatComplete, Message: "This chat has no answer yet."}, nil
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &last.Text})
	if err != nil {
		return aptix.ChatAnswer{}, err
	}
	a := aptix.ChatAnswer{ID: last.ID, State: last.State, Blocks: len(c.Blocks)}
	switch {
	case last.State == aptix.ChatStreaming:
		a.Message = "The last answer is not complete yet."
	case len(c.Blocks) == 0 && !c.Declined:
		a.Message = "The last answer has no Aptix block."
	case last.State == aptix.ChatStopped:
		a.Text, a.Message = last.Text, "The last answer was stopped before its end. It may lack edits."
	default:
		a.Text = last.Text
	}
	return a, nil
}
