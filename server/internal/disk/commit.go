package disk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Commit makes all changes of tx on disk, or none.
//
// However it ends, even by kill -9 or a loss of power, the tree is the old one or the new
// one, at once or after [Recover]. During the change, other programs may see some files new
// and some old, but never half a file. Only one transaction runs in a root at a time, over
// all processes that share stateDir.
//
// A replaced file becomes a new file with the mode of the old one and, if the system permits,
// its owner: hard links to it keep the old content. A link itself is replaced; nothing is
// written through it. If the system does not permit creating links, as Windows may not,
// Commit returns an error before it changes anything.
//
// These errors leave the tree unchanged: [ChangedError]; [ReadOnlyError]; [ErrInterrupted];
// ctx's, which ends waiting and staging but not a change in progress; those of tx.Ready and
// tx.Rest; and I/O errors. A [RollbackError] means that the tree was changed.
func (r *Root) Commit(ctx context.Context, stateDir string, tx Transaction) (Folders, error) {
	if err := tx.check(); err != nil {
		return Folders{}, err
	}
	l, err := openLedger(ctx, stateDir, r)
	if err != nil {
		return Folders{}, err
	}
	defer l.close()
	if err := errors.Join(r.barsNow(stateDir, tx), r.checkProtected(tx)); err != nil {
		return Folders{}, err
	}
	if err := r.cleanUpEarlier(l); err != nil {
		return Folders{}, err
	}
	c, err := r.prepare(ctx, tx)
	if err != nil {
		return Folders{}, err
	}
	if c.isEmpty() {
		return Folders{}, tx.rest()
	}
	changing.RLock()
	defer changing.RUnlock()
	if err := c.runOrRollBack(ctx, l, tx); err != nil {
		return Folders{}, err
	}
	changed.Store(true)
	c.cleanUp(l)
	return Folders{Made: c.journal.Made, Removed: c.removed}, nil
}

// Each transaction holds changing while it changes the disk, and sets changed when it does.
var (
	changing sync.RWMutex
	changed  atomic.Bool
)

// EndChanges waits for the transactions of this process that have begun to change the disk, and
// lets no other begin, because the process ends. It reports whether any changed the disk.
func EndChanges() bool {
	changing.Lock()
	return changed.Load()
}

// A commit is a transaction that was found to match the disk.
type commit struct {
	root       *Root
	journal    journal
	writes     []write         // the ops that change something; journal.Ops has the same ones
	mustRemove map[string]bool // directories to remove; the others in journal.Pruned may stay
	removed    []string        // directories that were removed, parents first
}

func (c *commit) isEmpty() bool {
	return len(c.writes) == 0 && len(c.journal.Made) == 0 && len(c.journal.Pruned) == 0
}

// cleanUpEarlier cleans up after an earlier transaction that changed no file, or all
// of them.
func (r *Root) cleanUpEarlier(l *ledger) error {
	j, p, err := l.find()
	switch {
	case err != nil || p == none:
		return err
	case p == applying:
		return fmt.Errorf("%s: %w", r.dir, ErrInterrupted)
	}
	if err := l.end(p, nil, r.removeStaged(j, nil)); err != nil {
		return fmt.Errorf("%s: %w", r.dir, err)
	}
	return nil
}

// runOrRollBack runs the transaction and restores the tree after an error. It does so after a
// panic, too, because a server survives the panic and may not be restarted for days.
func (c *commit) runOrRollBack(ctx context.Context, l *ledger, tx Transaction) (err error) {
	ended := false
	defer func() {
		if !ended {
			_ = c.rollBack(l, nil) // if this fails, the next start restores the tree
		}
	}()
	err = c.run(ctx, l, tx)
	ended = true
	if err != nil {
		err = c.rollBack(l, err)
	}
	return err
}

// run makes the transaction, up to and including the point of no return.
func (c *commit) run(ctx context.Context, l *ledger, tx Transaction) error {
	if err := l.create(&c.journal); err != nil {
		return err
	}
	if err := c.stage(ctx); err != nil {
		return err
	}
	if tx.Ready != nil {
		if err := tx.Ready(); err != nil {
			return err
		}
	}
	if err := l.advance(applying); err != nil {
		return err
	}
	if err := c.changeTree(); err != nil {
		return err
	}
	if err := tx.rest(); err != nil {
		return err
	}
	return l.advance(applied)
}

// cleanUp removes the backups and the journal after the change. If it fails, the next start
// cleans up.
func (c *commit) cleanUp(l *ledger) {
	for i, w := range c.writes {
		if w.Before != nil {
			c.journal.Ops[i].Temp = "" // the temp was renamed into place
		}
	}
	_ = l.end(applied, nil, c.root.removeStaged(&c.journal, nil))
}

// rollBack restores the old tree. The error it returns includes cause, the reason for the
// rollback.
func (c *commit) rollBack(l *ledger, cause error) error {
	done, err := c.root.finish(&c.journal, l.phase)
	err = l.end(l.phase, done.Left, err)
	left := slices.DeleteFunc(done.Left, c.createdByOthers)
	if err == nil && len(left) == 0 {
		return cause
	}
	return &RollbackError{Cause: cause, Left: left, Undo: err}
}

// createdByOthers reports whether another program created the file just before this
// transaction would have created it.
func (c *commit) createdByOthers(l Left) bool {
	return l.Backup == "" && slices.ContainsFunc(c.writes, func(w write) bool { return w.Path == l.Path && !w.done })
}
