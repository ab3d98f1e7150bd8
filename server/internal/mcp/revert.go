package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// Revert undoes an apply that was made in any of the folders of the call.
func (d *diskHost) Revert(ctx context.Context, p protocol.RevertParams) (protocol.RevertResult, error) {
	if d.Config.History == nil {
		return protocol.RevertResult{}, agenttools.Refuse("no-history", "the history cannot be opened, so nothing can be reverted")
	}
	record, err := d.find(ctx, p.ID)
	if err != nil {
		return protocol.RevertResult{}, err
	}
	r := d.roots[d.index(record.Root)]
	o, err := d.change(ctx, apply.Request{Propose: func(ctx context.Context) (apply.Proposal, error) {
		proposal, err := apply.RevertOf(ctx, record, d.writer(r), r.Tree(nil), p.Merge, source)
		if err != nil {
			return proposal, err
		}
		return proposal, d.mayChange(proposal)
	}})
	answer := o.RevertResult()
	if o.Refusal != nil {
		answer.Message = "not reverted: " + o.Refusal.Message
	}
	return answer, err
}

// find returns the apply with the given id in any of the folders. If the id is "", it returns the last apply that is
// still in force.
func (d *diskHost) find(ctx context.Context, id string) (history.Apply, error) {
	if id != "" {
		record, err := apply.Find(ctx, d.Config.History, id, "")
		if err == nil && d.index(record.Root) < 0 {
			err = fmt.Errorf("%s: %w", id, history.ErrNotFound)
		}
		return record, err
	}
	last := ""
	for _, r := range d.roots {
		id, err := apply.Last(ctx, d.Config.History, r.Dir())
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return history.Apply{}, err
		}
		last = max(last, id) // ids begin with their time, so the largest id is the latest one
	}
	if last == "" {
		return history.Apply{}, fmt.Errorf("nothing to revert: %w", history.ErrNotFound)
	}
	return d.Config.History.Get(ctx, last)
}
