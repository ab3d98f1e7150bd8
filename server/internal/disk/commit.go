package disk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Commit makes all changes of `tx` on disk, or none.
//
// If the process is killed or the power is lost, the tree may be a mix of old and new files until [Recover] restores it.
// During the change, other programs may see some files old and some new, but never half a file. Of all processes that
// share `stateDir`, only one at a time runs a transaction in a root.
//
// A replaced file becomes a new file, with the mode of the old file and, if the system permits, its owner. Hard links to
// the old file keep the old content. If the path is a symbolic link, the link itself is replaced, and its target stays
// as it is. If the system does not permit creating links, as on Windows, Commit returns an error before it changes
// anything.
//
// After an error, the tree is unchanged, unless the error is a [RollbackError]. The error may be a [ChangedError], a
// [ReadOnlyError], [ErrInterrupted], an I/O error, or an error of tx.Ready or tx.Rest. If `ctx` ends, Commit stops
// waiting and staging, but it does not stop a change in progress.
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
	if len(c.writes) == 0 && len(c.journal.Made) == 0 && len(c.journal.Pruned) == 0 {
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

// Each transaction holds the read lock of `changing` while it changes the disk, so that [EndChanges] can wait for it. A
// transaction that succeeds sets `changed`.
var (
	changing sync.RWMutex
	changed  atomic.Bool
)

// EndChanges waits for the transactions of this process that are changing the disk, and prevents new ones. It is called
// before the process exits. It returns true if any transaction has changed the disk.
func EndChanges() bool {
	changing.Lock()
	return changed.Load()
}

// A commit is a transaction whose expectations match the files on disk.
type commit struct {
	root    *Root
	journal journal
	writes  []write // the ops that change something; journal.Ops has the same ops
	// the directories of journal.Pruned that must be removed; other directories stay if they are not empty
	mustRemove map[string]bool
	removed    []string // parents first
}

// cleanUpEarlier removes the temp files and backups of an earlier transaction that changed no file or all its files. It
// returns [ErrInterrupted] if an earlier transaction may have changed only some files.
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

// runOrRollBack runs the transaction, and restores the tree after an error or a panic. It does not leave this to the
// next start, because a server survives a panic, so its next start may be days away.
func (c *commit) runOrRollBack(ctx context.Context, l *ledger, tx Transaction) (err error) {
	ended := false
	defer func() {
		if !ended {
			// If this fails, the next start restores the tree.
			_ = c.rollBack(l, nil)
		}
	}()
	err = c.run(ctx, l, tx)
	ended = true
	if err != nil {
		err = c.rollBack(l, err)
	}
	return err
}

// run makes the changes of the transaction. If it returns nil, the transaction can no longer be rolled back.
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

// cleanUp removes the backups and the journal after all changes were made. If it fails, the next start cleans up.
func (c *commit) cleanUp(l *ledger) {
	for i, w := range c.writes {
		if w.Before != nil {
			// The temp file is gone, because it was renamed to the file's own name.
			c.journal.Ops[i].Temp = ""
		}
	}
	_ = l.end(applied, nil, c.root.removeStaged(&c.journal, nil))
}

// rollBack restores the tree from before the transaction. It returns `cause` if it could restore everything, and
// otherwise a [RollbackError].
func (c *commit) rollBack(l *ledger, cause error) error {
	done, err := c.root.finish(&c.journal, l.phase)
	err = l.end(l.phase, done.Left, err)
	left := slices.DeleteFunc(done.Left, c.createdByOthers)
	if err == nil && len(left) == 0 {
		return cause
	}
	return &RollbackError{Cause: cause, Left: left, Undo: err}
}

// createdByOthers reports whether another program created the file before this transaction could create it.
func (c *commit) createdByOthers(l Left) bool {
	return l.Backup == "" && slices.ContainsFunc(c.writes, func(w write) bool { return w.Path == l.Path && !w.done })
}
