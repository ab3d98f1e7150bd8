package lspserver

import (
	"context"
	"io/fs"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
)

// recall asks the history once which blocks of a document were applied, alone or together.
// If the history cannot answer, none were.
func (s *Server) recall(ctx context.Context, c *checked) {
	if s.config.History == nil || c.view.folder == nil || len(c.Blocks) == 0 {
		return
	}
	keys := []string{c.Key}
	if len(c.Blocks) > 1 { // otherwise it is the key of the only block
		for _, b := range c.Blocks {
			keys = append(keys, c.BlockKey(b))
		}
	}
	var err error
	if c.applied, err = s.config.History.LastOf(ctx, c.view.root.Dir(), keys); err != nil {
		s.config.Log.Warn("the history cannot say what was applied", zap.Error(err))
	}
}

// appliedAs returns the id of the apply that made a block done, alone or with the whole
// reply. It returns "" if the history has none, for example because the files were edited
// by hand.
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

// appliedWhole returns the id of the apply that made all blocks done.
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

// since describes later changes of the files of a document's latest apply: " (undone)", "
// (changed since)". It returns "" if they are as the apply left them, or nothing was
// applied.
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
