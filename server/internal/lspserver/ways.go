package lspserver

import (
	"context"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

func (s *Server) ways(ctx context.Context, target aptix.Target, c *replies.Reply) (aptix.Ways, error) {
	if s.untrusted() || c.Applicable() {
		return aptix.Ways{}, nil
	}
	w := aptix.Ways{NoBlock: len(c.Blocks) == 0, Problems: len(c.Blocks) > 0}
	w.Fixable = c.Fixable() && c.CanFixAndApply(c.Blocks...)
	w.Code = w.NoBlock && c.HasCode()
	if w.NoBlock || target.SkipMissing {
		return w, nil
	}
	target.SkipMissing = true
	rest, err := s.checkWanted(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return w, err
	}
	w.Rest = rest.Applicable() && len(rest.Plan.Files) > 0 && s.refusal(rest) == ""
	return w, nil
}

// offerMore offers what the person can do about a reply that was refused. If the person chooses to apply the rest, the
// next question lists the parts that are left out.
func (s *Server) offerMore(ctx context.Context, target aptix.Target, o apply.Outcome, r aptix.ApplyResult) (aptix.ApplyResult, error) {
	if o.Reply == nil || o.Refusal == nil {
		return r, nil
	}
	c, err := s.checkWanted(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return r, err
	}
	w, err := s.ways(ctx, target, c)
	if err != nil || s.offers() {
		r.Ways = w
		return r, err
	}
	switch {
	case w.Fixable:
		target.Fix = true
		return s.offer(ctx, replies.ButtonFix, target, r)
	case w.Rest:
		target.SkipMissing = true
		return s.offer(ctx, buttonRest, target, r)
	}
	return r, nil
}

// offer shows why a reply was refused, with a button. If the person presses the button, offer applies `target`.
func (s *Server) offer(ctx context.Context, button string, target aptix.Target, refused aptix.ApplyResult) (aptix.ApplyResult, error) {
	chosen, err := s.editor.Ask(ctx, protocol.MessageTypeError, refused.Message, button, buttonCancel)
	if err != nil || chosen != button {
		return refused, err
	}
	return s.apply(ctx, target)
}
