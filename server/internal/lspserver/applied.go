package lspserver

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// appliedAs is the id of the apply that made a block done, alone or with the whole reply; ""
// where the history has none, as when the files were edited by hand.
func (s *Server) appliedAs(ctx context.Context, c *checked, b check.Block) string {
	if b.State != check.Done || s.config.History == nil || c.view.folder == nil {
		return ""
	}
	id, err := s.config.History.LastOf(ctx, c.view.folder.root.Dir(), c.Key, c.BlockKey(b))
	if err != nil && !errors.Is(err, history.ErrNotFound) {
		s.config.Log.Warn("the history cannot say what was applied", zap.Error(err))
	}
	return id
}

// appliedWhole is the id of the apply that made all blocks done.
func (s *Server) appliedWhole(ctx context.Context, c *checked) string {
	id := ""
	for _, b := range c.Blocks {
		next := s.appliedAs(ctx, c, b)
		if next == "" || id != "" && next != id {
			return ""
		}
		id = next
	}
	return id
}
