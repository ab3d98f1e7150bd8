package mcp

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Revert takes back an apply in one of the folders; what was done in others is not
// there for who works here.
func (d *diskHost) Revert(ctx context.Context, p protocol.RevertParams) (protocol.RevertResult, error) {
	if d.Config.History == nil {
		return protocol.RevertResult{}, agenttools.Refuse("no-history", "the history cannot be opened, so nothing can be reverted")
	}
	record, err := d.find(ctx, p.ID)
	if err != nil {
		return protocol.RevertResult{}, err
	}
	r := d.roots[d.index(record.Root)]
	if !record.Reverted {
		if err := d.mayWrite(record.Root); err != nil {
			return protocol.RevertResult{}, err
		}
	}
	behind := func(files []plan.File) (string, error) { return "", d.notBehind(ctx, r.folder(), files) }
	answer, untold, err := apply.TakeBack(ctx, d.Config.History, r.Root, d.StateDir, source, record, p.Merge, behind)
	if err != nil {
		return answer, d.refuse(err)
	}
	if answer.Applied {
		answer.Warnings = d.after(ctx, untold, r.folder(), d.did(ctx, answer.ID), nil)
	}
	return answer, nil
}

// find is the apply of an id in one of the folders; for "" the last one in force.
func (d *diskHost) find(ctx context.Context, id string) (history.Apply, error) {
	if id != "" {
		record, err := apply.FindApply(ctx, d.Config.History, id, "")
		if err == nil && d.index(record.Root) < 0 {
			err = fmt.Errorf("%s: %w", id, history.ErrNotFound)
		}
		return record, err
	}
	last := ""
	for _, r := range d.roots {
		id, err := apply.LastApply(ctx, d.Config.History, r.Dir())
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			return history.Apply{}, err
		}
		last = max(last, id) // ids begin with their time
	}
	if last == "" {
		return history.Apply{}, fmt.Errorf("nothing to revert: %w", history.ErrNotFound)
	}
	return d.Config.History.Get(ctx, last)
}

// did are the files of an apply, as far as the history can tell.
func (d *diskHost) did(ctx context.Context, id string) []plan.File {
	record, err := d.Config.History.Get(context.WithoutCancel(ctx), id)
	if err != nil {
		d.Log.Warn("the file set is not told of a revert", zap.Error(err))
	}
	return apply.Did(record)
}
