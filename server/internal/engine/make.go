package engine

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// Make makes a plan true on disk, all of it or nothing, and has the history say so,
// as record does. The history is told before: so whatever a crash cuts off, the next
// [Settle] has it agree with the tree.
//
// An error is that of [Write]. Where only the history could not be told, which may be
// nil, the change is made all the same, and untold says why.
func Make(ctx context.Context, h *store.Store, root *workspace.Root, stateDir string, record store.Apply, p plan.Plan) (untold, err error) {
	pending, untold := Begin(ctx, h, record, p, root.Tree(nil))
	folders, err := Write(ctx, root, stateDir, record.ID, p)
	ctx = context.WithoutCancel(ctx)
	rollback, failed := errors.AsType[*workspace.RollbackError](err)
	switch {
	case failed && rollback.Undo != nil:
		pending.Leave() // the next start restores the tree, and decides then
		return untold, err
	case err != nil:
		return errors.Join(untold, pending.Drop(ctx)), err
	}
	return errors.Join(untold, Finish(ctx, h, pending, folders)), nil
}
