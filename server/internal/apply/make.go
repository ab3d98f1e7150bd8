package apply

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Make makes a plan true on disk, all of it or nothing, and has the history say so,
// as record does. The history is told before the first file changes: so whatever a
// crash cuts off, the next [Settle] has it agree with the tree. It is told while the
// new contents are staged, as both take long and neither needs the other.
//
// An error is that of [Write]. Where only the history could not be told, which may be
// nil, the change is made all the same, and untold says why.
func Make(ctx context.Context, h *history.Store, root *disk.Root, stateDir string, record history.Apply, p plan.Plan) (untold, err error) {
	var pending *history.Pending
	told := make(chan struct{})
	go func() {
		defer close(told)
		pending, untold = Begin(ctx, h, record, p, root.Tree(nil))
	}()
	tx := transaction(record.ID, p)
	tx.Ready = func() error {
		<-told
		return ctx.Err() // it may be why the history was not told
	}
	folders, err := root.Commit(ctx, stateDir, tx)
	<-told
	ctx = context.WithoutCancel(ctx)
	rollback, failed := errors.AsType[*disk.RollbackError](err)
	switch {
	case failed && rollback.Undo != nil:
		pending.Leave() // the next start restores the tree, and decides then
		return untold, err
	case err != nil:
		return errors.Join(untold, pending.Drop(ctx)), err
	}
	return errors.Join(untold, Finish(ctx, h, pending, folders)), nil
}
