package lspserver

import (
	"context"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// askOffer returns the function that shows the person the change of an agent and asks about
// it. The function sets agreed if the person says yes. If ctx ends because the agent stopped
// waiting, the question is withdrawn. An editor that shows offers itself has its own buttons.
func (h *host) askOffer(agreed *bool, button string) func(context.Context, apply.Proposal) (bool, error) {
	return func(ctx context.Context, p apply.Proposal) (bool, error) {
		var err error
		if h.offers() {
			*agreed, err = h.client.Offer(ctx, aptix.OfferParams{Agent: h.agent, Preview: h.rows(p.Writer.(*editorWriter).checked), Question: p.Question})
		} else {
			*agreed, err = h.ask(ctx, p, button, p.Reasons)
		}
		return *agreed, err
	}
}

// offers reports whether the editor shows offers itself.
func (s *Server) offers() bool { return s.clientOptions().Offers }

// rows returns a plan as virtual documents.
func (s *Server) rows(c *checked) aptix.PreviewResult {
	title := "Aptix: " + withoutCount(plan.Summary(c.Plan.Files), c.Plan.Files)
	return aptix.PreviewResult{Title: title, Files: s.virtual(c.Plan.Files, c.view.resource)}
}

// Offer asks the person about a change that the editor shows. If ctx ends first, the editor
// withdraws the question.
func (c Client) Offer(ctx context.Context, p aptix.OfferParams) (accepted bool, err error) {
	var r aptix.OfferResult
	p.Agent, p.Question = escape.Label(p.Agent), escape.Message(p.Question)
	err = protocol.Call(ctx, c.conn, aptix.MethodOffer, p, &r)
	return r.Accepted, err
}

// AgentChange tells the person about a change that an agent made.
func (c Client) AgentChange(ctx context.Context, p aptix.AgentChange) error {
	p.Agent = escape.Label(p.Agent)
	return c.conn.Notify(ctx, aptix.MethodAgentChange, p)
}

// Show asks the editor to show a change.
func (c Client) Show(ctx context.Context, p aptix.PreviewResult) error {
	return c.conn.Notify(ctx, aptix.MethodShow, p)
}
