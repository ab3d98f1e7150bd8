package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
)

const buttonFix = "Fix and Apply"

// fixable reports whether blocks can be fixed and applied in one step. If a part is left
// out, it is identified by the text of its block, which a fix changes, so that the part
// would be applied after all.
func (c *checked) fixable(blocks ...check.Block) bool {
	for _, b := range blocks {
		if len(c.Skip[b.Index])+len(c.Missing[b.Index]) > 0 || b.State == check.Failed && !b.Fixable() {
			return false
		}
	}
	return true
}

// offerFix offers to fix and apply a refused reply, if all of its errors have certain
// fixes.
func (s *Server) offerFix(ctx context.Context, target aptix.Target, refused aptix.ApplyResult) (aptix.ApplyResult, error) {
	c, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil || !c.Fixable() || !c.fixable(c.Blocks...) || s.untrusted() {
		return refused, err
	}
	if refused.Fixable = s.offers(); refused.Fixable {
		return refused, nil
	}
	chosen, err := s.client.Ask(ctx, protocol.MessageTypeError, refused.Message, buttonFix, buttonCancel)
	if err != nil || chosen != buttonFix {
		return refused, err
	}
	target.Fix = true
	return s.fixAndApply(ctx, target)
}

// fixAndApply makes all certain fixes in the reply, visibly for the person, and applies it.
// If the reply cannot be changed, like a chat answer, it is fixed in memory.
func (s *Server) fixAndApply(ctx context.Context, target aptix.Target) (aptix.ApplyResult, error) {
	target.Fix = false
	c, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	if !c.fixable(c.Blocks...) {
		return s.apply(ctx, target)
	}
	repaired, err := check.Repair(ctx, c.Documents, s.where(c.view, target.Block))
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	fixed := repaired.Documents[0].Text
	if fixed == c.Documents[0].Text {
		return s.apply(ctx, target)
	}
	if target.Text != nil {
		target.Text = &fixed
		return s.apply(ctx, target)
	}
	action := c.action("Aptix: Make all certain repairs", fixAll, diff.Edits(c.Documents[0].Text, fixed))
	answer, err := s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: new("Aptix: make all certain repairs"), Edit: *action.Edit})
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	switch doc := s.docs.Snapshot().Get(c.uri); {
	case answer.Applied && s.becomes(ctx, c.uri, fixed):
		return s.apply(ctx, target)
	case !answer.Applied && doc != nil && doc.Version == c.doc.Version:
		target.Text = &fixed
		return s.apply(ctx, target)
	}
	return aptix.ApplyResult{Files: []aptix.File{}, Left: []string{}, Message: "Not applied: the reply was changed meanwhile"}, nil
}

// becomes waits until an edit has given a document a text. It returns false if the edit did
// not.
func (s *Server) becomes(ctx context.Context, u uri.URI, want string) (became bool) {
	s.await(ctx, []uri.URI{u}, holdsBack, func(now Snapshot) (int, bool) {
		doc := now.Get(u)
		became = doc != nil && doc.Text == want
		return 0, became
	})
	return became
}

// offerMore offers the possible actions on a reply that was refused.
func (s *Server) offerMore(ctx context.Context, target aptix.Target, o apply.Outcome, r aptix.ApplyResult) (aptix.ApplyResult, error) {
	switch {
	case o.Reply == nil || o.Refusal == nil:
	case o.Reply.Fixable():
		return s.offerFix(ctx, target, r)
	case !target.SkipMissing && o.Reply.LacksOnly() != "":
		return s.offerRest(ctx, target, r)
	}
	return r, nil
}
