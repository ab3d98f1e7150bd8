package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
)

const (
	buttonApply  = "Apply"
	buttonRevert = "Revert"
	buttonCancel = "Cancel"
)

// askToApply asks the person whether a reply is applied.
func (s *Server) askToApply(ctx context.Context, p apply.Proposal) (bool, error) {
	return s.ask(ctx, p, buttonApply, p.Reply.Reasons())
}

// askToRevert asks the person whether an apply is reverted.
func (s *Server) askToRevert(ctx context.Context, p apply.Proposal) (bool, error) {
	return s.ask(ctx, p, buttonRevert, s.endings(p.Writer.(*editorWriter).checked))
}

// ask shows a question, in a dialog of the editor's own if it has one for this, and waits
// for the person. It reports whether they chose the button.
func (s *Server) ask(ctx context.Context, p apply.Proposal, button string, reasons []string) (bool, error) {
	if !s.offers() {
		chosen, err := s.client.Ask(ctx, protocol.MessageTypeWarning, p.Question, button, buttonCancel)
		return chosen == button, err
	}
	title, _, _ := strings.Cut(p.Question, "\n")
	return s.client.Question(ctx, aptix.QuestionParams{
		Question: p.Question, Title: title, Files: check.ReportFiles(p.Plan.Files), Reasons: reasons, Button: button,
	})
}

// Question asks the person about a change that they asked for.
func (c Client) Question(ctx context.Context, p aptix.QuestionParams) (accepted bool, err error) {
	p.Title = escape.Message(p.Title)
	for i, reason := range p.Reasons {
		p.Reasons[i] = escape.Message(reason)
	}
	var r aptix.QuestionResult
	err = protocol.Call(ctx, c.conn, aptix.MethodQuestion, p, &r)
	return r.Accepted, err
}
