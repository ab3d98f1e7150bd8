package lspserver

import (
	"context"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

// recall asks the history what was applied: see [checked.recall].
func (s *Server) recall(ctx context.Context, c *replies.Reply) map[int]check.Block {
	settled, err := c.Recall(ctx, s.config.History)
	if err != nil {
		s.config.Log.Warn("the history cannot say what was applied", zap.Error(err))
	}
	return settled
}

// checkWanted is like [Server.check], but leaves out blocks that were applied before, because their problems must not
// keep the person from applying the other blocks. If all blocks were applied, it leaves out none.
func (s *Server) checkWanted(ctx context.Context, snapshot documents.Snapshot, target aptix.Target) (*replies.Reply, error) {
	whole := target
	whole.SkipMissing = false
	c, err := s.check(ctx, snapshot, whole)
	if err != nil || c.Applicable() || len(c.Blocks) == 1 && !target.SkipMissing {
		return c, err
	}
	applied := s.recall(ctx, c)
	if len(applied) == len(c.Blocks) || target.Text != nil {
		applied = nil // without a document, there is no lens to say that blocks were applied
	}
	return s.checkAs(ctx, snapshot, target, false, applied)
}
