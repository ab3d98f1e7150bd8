package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
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

// offerMore offers further actions for a reply that was refused. If the person chooses to apply the rest, the next
// question lists the parts that are left out.
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

// fixAndApply makes all certain fixes in the document of the reply, where the person sees them, and then applies the
// reply. If the document cannot be edited, for example because it is a chat answer, the fixes are made in memory.
func (s *Server) fixAndApply(ctx context.Context, target aptix.Target) (aptix.ApplyResult, error) {
	target.Fix = false
	c, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	if !c.CanFixAndApply(c.Blocks...) {
		return s.apply(ctx, target)
	}
	repaired, err := check.Repair(ctx, c.Documents, s.checkSettings(c.View, target.Block))
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	fixed := repaired.Documents[0].Text
	if fixed == c.Documents[0].Text {
		return s.apply(ctx, target)
	}
	repairs := c.Repairs()
	if target.Text != nil {
		target.Text = &fixed
		return s.applyRepaired(ctx, target, repairs)
	}
	action := c.Action("Aptix: Make all repairs that are certain", replies.FixAll, diff.Edits(c.Documents[0].Text, fixed))
	answer, err := s.editor.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: new("Aptix: make all repairs that are certain"), Edit: *action.Edit})
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	switch doc := s.docs.Snapshot().Get(c.URI); {
	case answer.Applied && s.becomes(ctx, c.URI, fixed):
		return s.applyRepaired(ctx, target, repairs)
	case !answer.Applied && doc != nil && doc.Version == c.Document.Version:
		target.Text = &fixed
		return s.applyRepaired(ctx, target, repairs)
	}
	return noResult("Not applied: the reply was changed in the meantime").Result, nil
}

// becomes waits until an edit has given a document the text `want`. It returns false if the document got a different
// text instead.
func (s *Server) becomes(ctx context.Context, u uri.URI, want string) (became bool) {
	s.editor.Await(ctx, []uri.URI{u}, true, func(now documents.Snapshot) (int, bool) {
		doc := now.Get(u)
		became = doc != nil && doc.Text == want
		return 0, became
	})
	return became
}
