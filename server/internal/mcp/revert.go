package mcp

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/engine"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/tools"
)

// Revert takes back an apply in one of the folders; what was done in others is not
// there for who works here.
func (d *disk) Revert(ctx context.Context, p protocol.RevertParams) (protocol.RevertResult, error) {
	if d.Config.History == nil {
		return protocol.RevertResult{}, tools.Refuse("no-history", "the history cannot be opened, so nothing can be reverted")
	}
	apply, err := d.find(ctx, p.ID)
	if err != nil {
		return protocol.RevertResult{}, err
	}
	r := d.roots[d.index(apply.Root)]
	if !apply.Reverted {
		if err := d.mayWrite(apply.Root); err != nil {
			return protocol.RevertResult{}, err
		}
	}
	behind := func(files []plan.File) (string, error) { return "", d.notBehind(ctx, r.folder(), files) }
	answer, untold, err := engine.TakeBack(ctx, d.Config.History, r.Root, d.StateDir, source, apply, p.Merge, behind)
	if err != nil {
		return answer, d.refuse(err)
	}
	if answer.Applied {
		answer.Warnings = d.after(ctx, untold, r.folder(), d.did(ctx, answer.ID), nil)
	}
	return answer, nil
}

// find is the apply of an id in one of the folders; for "" the last one in force.
func (d *disk) find(ctx context.Context, id string) (store.Apply, error) {
	if id != "" {
		apply, err := engine.FindApply(ctx, d.Config.History, id, "")
		if err == nil && d.index(apply.Root) < 0 {
			err = fmt.Errorf("%s: %w", id, store.ErrNotFound)
		}
		return apply, err
	}
	last := ""
	for _, r := range d.roots {
		id, err := engine.LastApply(ctx, d.Config.History, r.Dir())
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return store.Apply{}, err
		}
		last = max(last, id) // ids begin with their time
	}
	if last == "" {
		return store.Apply{}, fmt.Errorf("nothing to revert: %w", store.ErrNotFound)
	}
	return d.Config.History.Get(ctx, last)
}

// did are the files of an apply, as far as the history can tell.
func (d *disk) did(ctx context.Context, id string) []plan.File {
	apply, err := d.Config.History.Get(context.WithoutCancel(ctx), id)
	if err != nil {
		d.Log.Warn("the file set is not told of a revert", zap.Error(err))
	}
	return engine.Did(apply)
}
