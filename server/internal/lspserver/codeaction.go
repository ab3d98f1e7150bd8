package lspserver

import (
	"context"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

// menuTime limits the time for finding the fixes of a menu. A menu that lacks a suggestion is better than a late menu.
const menuTime = 2 * time.Second

func (s *Server) codeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CodeAction, error) {
	actions := []protocol.CodeAction{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return actions, err
	}
	if wanted(p.Context.Only, protocol.CodeActionKindQuickFix) {
		ctx, cancel := context.WithTimeout(ctx, menuTime)
		defer cancel()
		at := lspconv.Span(c.Lines, p.Range)
		actions = append(actions, c.QuickFixes(ctx, at)...)
		merges, clash, err := c.MergeActions(ctx, at, s.checkSettings(c.View, nil), s.earlier)
		if clash {
			s.touch()
		}
		if err != nil {
			return nil, err
		}
		actions = append(actions, merges...)
		actions = append(actions, c.CopyActions(at)...)
	}
	if wanted(p.Context.Only, replies.BlockKind) {
		actions = append(actions, c.BlockActions(lspconv.Offset(c.Lines, p.Range.Start))...)
	}
	if len(p.Context.Only) > 0 && wanted(p.Context.Only, replies.FixAll) {
		all, err := s.fixAll(ctx, c)
		if err != nil {
			return nil, err
		}
		actions = append(actions, all...)
	}
	return actions, nil
}

// wanted reports whether kind is in the list `only`, or is a subkind of a kind in the list. A dot separates a kind from
// its subkind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	for _, o := range only {
		if o == kind || strings.HasPrefix(string(kind), string(o)+".") || o == "" {
			return true
		}
	}
	return len(only) == 0
}

// fixAll makes the certain repairs in rounds, because a repair may reveal the next problem.
func (s *Server) fixAll(ctx context.Context, c *replies.Reply) ([]protocol.CodeAction, error) {
	repaired, err := check.Repair(ctx, c.Documents, s.checkSettings(c.View, nil))
	if err != nil {
		return nil, err
	}
	edits := diff.Edits(c.Documents[0].Text, repaired.Documents[0].Text)
	if len(edits) == 0 {
		return nil, nil
	}
	return []protocol.CodeAction{c.Action("Make all certain Aptix repairs", replies.FixAll, edits)}, nil
}
