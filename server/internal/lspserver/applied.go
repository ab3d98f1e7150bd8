package lspserver

import (
	"context"
	"io/fs"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
)

// recall asks the history once for what was applied of a document: its blocks alone, or all
// of them. Where it cannot say, nothing was.
func (s *Server) recall(ctx context.Context, c *checked) {
	if s.config.History == nil || c.view.folder == nil || len(c.Blocks) == 0 {
		return
	}
	keys := []string{c.Key}
	if len(c.Blocks) > 1 { // else it is the key of the only block
		for _, b := range c.Blocks {
			keys = append(keys, c.BlockKey(b))
		}
	}
	var err error
	if c.applied, err = s.config.History.LastOf(ctx, c.view.root.Dir(), keys); err != nil {
		s.config.Log.Warn("the history cannot say what was applied", zap.Error(err))
	}
}

// appliedAs is the id of the apply that made a block done, alone or with the whole reply; ""
// where the history has none, as when the files were edited by hand.
func (c *checked) appliedAs(b check.Block) string {
	if b.State != check.Done {
		return ""
	}
	alone := c.BlockKey(b)
	for _, a := range c.applied {
		if a.Key == c.Key || a.Key == alone {
			return a.ID
		}
	}
	return ""
}

// appliedWhole is the id of the apply that made all blocks done.
func (c *checked) appliedWhole() string {
	id := ""
	for _, b := range c.Blocks {
		next := c.appliedAs(b)
		if next == "" || id != "" && next != id {
			return ""
		}
		id = next
	}
	return id
}

// since is what became of the files of the latest apply of a document: " (undone)",
// " (changed since)"; "" where they are as it left them, or nothing was applied.
func (c *checked) since(ctx context.Context) string {
	if len(c.applied) == 0 {
		return ""
	}
	entries, _, err := apply.Entries(ctx, c.applied[:1], func(string) fs.FS { return c.view.tree })
	if err != nil {
		return ""
	}
	switch state := entries[0].State; state {
	case aptix.EntryUndone, aptix.EntryChanged:
		return " (" + string(state) + ")"
	}
	return ""
}
