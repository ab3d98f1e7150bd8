package replies

import (
	"context"
	"io/fs"
	"slices"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Recall looks up in the history which blocks of a document were applied, alone or with the whole reply. If an applied
// block has problems now although it was not reverted, Recall drops its problems, and returns the block in `settled`,
// by its index. If the history fails, Recall returns an error, and no block counts as applied.
func (c *Reply) Recall(ctx context.Context, h *history.Store) (settled map[int]check.Block, err error) {
	settled = map[int]check.Block{}
	if h == nil || c.View.Folder == nil || len(c.Blocks) == 0 {
		return settled, nil
	}
	keys := []string{c.Key}
	if len(c.Blocks) > 1 { // the key of a single block is the document's key
		keys = append(keys, text.Each(c.Blocks, c.BlockKey)...)
	}
	c.applied, err = h.LastOf(ctx, c.View.Root.Dir(), keys)
	for i := range c.Blocks {
		b := &c.Blocks[i]
		a, ok := c.ApplyOf(*b)
		if !ok || b.State != check.Failed {
			continue
		}
		// The block was applied, so its problems do not matter to the person.
		switch c.stateOf(ctx, a) {
		case aptix.EntryChanged, aptix.EntryPartly:
			c.past = append(c.past, b.Index)
			fallthrough
		case aptix.EntryInForce:
			b.State, b.Files, b.Diagnostics = check.Done, nil, b.LeftOut()
			settled[b.Index] = *b
		}
	}
	return settled, err
}

// ApplyOf returns the apply of a block, whether the block was applied alone or with the whole reply.
func (c *Reply) ApplyOf(b check.Block) (history.Apply, bool) {
	alone := c.BlockKey(b)
	i := slices.IndexFunc(c.applied, func(a history.Apply) bool {
		return a.Key == c.Key || a.Key == alone || slices.Contains(a.Blocks, alone)
	})
	if i < 0 {
		return history.Apply{}, false
	}
	return c.applied[i], true
}

func (c *Reply) stateOf(ctx context.Context, a history.Apply) aptix.EntryState {
	entries, _, err := apply.Entries(ctx, []history.Apply{a}, func(string) fs.FS { return c.View.Tree })
	if err != nil {
		return aptix.EntryUnknown
	}
	return entries[0].State
}

// appliedAs returns the id of the apply that made the changes of a block. It returns "" if there is none, for example
// because the person made the changes by hand, or if that apply left out all replacements of the block.
func (c *Reply) appliedAs(b check.Block) string {
	if b.State != check.Done || b.OnlyLeftOut() {
		return ""
	}
	a, _ := c.ApplyOf(b)
	return a.ID
}

// AppliedWhole returns the id of the apply that made the changes of all blocks, or "" if no single apply did.
func (c *Reply) AppliedWhole() string {
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

// stateSinceApply returns how files have changed since the document's latest apply. It returns "" if no file has
// changed, or if nothing was applied.
func (c *Reply) stateSinceApply(ctx context.Context) aptix.EntryState {
	if len(c.applied) == 0 {
		return ""
	}
	switch state := c.stateOf(ctx, c.applied[0]); state {
	case aptix.EntryUndone, aptix.EntryChanged, aptix.EntryPartly:
		return state
	}
	return ""
}
