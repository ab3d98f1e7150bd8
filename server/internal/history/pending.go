package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Pending is the record of an apply that is not finished. It is written first, so that a crash cannot lose the apply.
// No list shows the apply until it is finished. The process that began the record holds a lock, so a free lock means
// that the process has ended.
//
// A program without a history has a nil Pending, whose methods do nothing.
type Pending struct {
	ID, Root, Source string // see [Apply]

	store *Store
	lock  *flock.Flock
}

// Begin writes the record of an apply before the apply is made. The caller must end the record with [Pending.Finish],
// [Pending.Drop] or [Pending.Leave].
func (s *Store) Begin(ctx context.Context, a Apply) (*Pending, error) {
	p, err := s.begin(ctx, a)
	return p, s.during("recording "+a.ID, err)
}

func (s *Store) begin(ctx context.Context, a Apply) (*Pending, error) {
	if !idForm.MatchString(a.ID) {
		return nil, fmt.Errorf("%q: %w", a.ID, fs.ErrInvalid)
	}
	if err := s.makePendingDir(); err != nil {
		return nil, err
	}
	p := s.pending(a.ID, filepath.Clean(a.Root), a.Source)
	// The process must hold the lock before others can see the record.
	if locked, err := p.lock.TryLock(); err != nil || !locked {
		_ = p.lock.Close()
		return nil, fmt.Errorf("%s is in use: %w", a.ID, errors.Join(fs.ErrExist, err))
	}
	if err := s.record(ctx, a); err != nil {
		p.unlock()
		return nil, err
	}
	return p, nil
}

// idForm matches valid ids, such as the ids that [NewID] returns. An id is checked because it becomes the name of a
// file, and the history may have come with a workspace.
var idForm = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.-]{0,63}$`)

func (s *Store) makePendingDir() error {
	if err := os.MkdirAll(s.pendingDir(), 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(s.pendingDir())
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a symbolic link; remove it", s.pendingDir())
	}
	return err
}

// isPlain reports whether a name is neither a symbolic link nor a FIFO. Through a link, the lock would be created
// elsewhere, and opening a FIFO may take forever.
func isPlain(name string) bool {
	info, err := os.Lstat(name)
	return err != nil || info.Mode()&(fs.ModeSymlink|fs.ModeNamedPipe) == 0
}

func (s *Store) pendingDir() string { return filepath.Join(filepath.Dir(s.path), "pending") }

func (s *Store) pending(id, root, source string) *Pending {
	return &Pending{id, root, source, s, flock.New(filepath.Join(s.pendingDir(), id+".lock"), flock.SetPermissions(0o600))}
}

// lockTested limits the wait for another process that only tests the lock. The test takes almost no time, unless the
// system is too busy to run that process.
const lockTested = time.Second

// unlock removes the file of the lock. This is safe, because no other lock ever has the same name. On Windows it may
// have to wait, because a file cannot be removed while another process has it open, for example to test the lock.
func (p *Pending) unlock() {
	err := os.Remove(p.lock.Path())
	_ = p.lock.Close()
	for end := time.Now().Add(lockTested); runtime.GOOS == "windows" && err != nil && !errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		if err = os.Remove(p.lock.Path()); err != nil {
			time.Sleep(time.Millisecond)
		}
	}
}

// Finish makes a pending record an ordinary record of an apply. It replaces the recorded folders with `made` and
// `pruned`.
func (p *Pending) Finish(ctx context.Context, made, pruned []string) error {
	if p == nil {
		return nil
	}
	defer p.unlock()
	return p.store.during("recording "+p.ID, p.store.transact(ctx, func(tx *sql.Tx) error { return finish(ctx, tx, p.ID, made, pruned) }))
}

func finish(ctx context.Context, tx *sql.Tx, id string, made, pruned []string) error {
	var seq int64
	var undoes string
	// After a revert of only a part, the reverted apply is still in force.
	err := tx.QueryRowContext(ctx, "UPDATE apply SET pending = 0, reverted = 0 WHERE id = ? AND pending RETURNING seq, CASE part WHEN 0 THEN undoes ELSE '' END", id).Scan(&seq, &undoes)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM folder WHERE apply = ?", seq); err != nil {
		return err
	}
	if err := insertFolders(ctx, tx, seq, made, pruned); err != nil {
		return err
	}
	return undone(ctx, tx, undoes)
}

// Drop removes the record of an apply that changed nothing.
func (p *Pending) Drop(ctx context.Context) error {
	if p == nil {
		return nil
	}
	defer p.unlock()
	return p.store.during("removing "+p.ID, p.store.transact(ctx, func(tx *sql.Tx) error {
		return remove(ctx, tx, "SELECT seq FROM apply WHERE id = ? AND pending", p.ID)
	}))
}

// Leave keeps the record as pending. A later start finds out whether the apply was made.
func (p *Pending) Leave() {
	if p != nil {
		p.unlock()
	}
}

// Abandoned returns the pending applies of processes that have exited. The caller must end each of these records.
func (s *Store) Abandoned(ctx context.Context) ([]*Pending, error) {
	abandoned, err := s.abandoned(ctx)
	if err != nil {
		for _, p := range abandoned {
			p.Leave()
		}
		return nil, s.wrap(err)
	}
	return abandoned, nil
}

func (s *Store) abandoned(ctx context.Context) (found []*Pending, err error) {
	all, err := s.allPending(ctx, "SELECT id, root, source FROM apply WHERE pending ORDER BY seq")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		taken, err := p.takeOver(ctx)
		if err != nil {
			return found, err
		}
		if taken {
			found = append(found, p)
		}
	}
	return found, nil
}

// takeOver locks the record of an apply whose process has ended. It returns false if the process is still running, or
// if another process has ended the record in the meantime. On Windows, the lock cannot even be opened while that
// process removes it.
func (p *Pending) takeOver(ctx context.Context) (taken bool, err error) {
	locked, lockErr := p.lock.TryLock()
	if lockErr == nil && !locked {
		return false, p.lock.Close()
	}
	var still bool
	err = p.store.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM apply WHERE id = ? AND pending)", p.ID).Scan(&still)
	switch {
	case locked && still:
		return true, nil
	case locked:
		p.unlock()
	case still:
		err = lockErr
	}
	return false, err
}

// endPoll is the pause before a process checks again whether others have ended their applies.
const endPoll = 20 * time.Millisecond

// Await waits until no process is still applying the blocks with this key in `root`.
func (s *Store) Await(ctx context.Context, root, key string) error {
	for {
		running, err := s.running(ctx, filepath.Clean(root), key)
		if err != nil || !running {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(endPoll):
		}
	}
}

func (s *Store) running(ctx context.Context, root, key string) (running bool, err error) {
	all, err := s.allPending(ctx, "SELECT id, root, source FROM apply WHERE pending AND root = ? AND key = ?", root, key)
	if err != nil {
		return false, s.wrap(err)
	}
	for _, p := range all {
		taken, err := p.takeOver(ctx)
		if err != nil {
			return false, s.wrap(err)
		}
		if taken {
			p.Leave()
		}
		running = running || !taken
	}
	return running, nil
}

// allPending returns the pending applies that an SQL statement selects. The statement must return the columns id, root
// and source.
func (s *Store) allPending(ctx context.Context, statement string, args ...any) (all []*Pending, err error) {
	err = each(ctx, s.db, func(scan scanner) error {
		var id, root, source string
		err := scan(&id, &root, &source)
		// Skip an id of a different form: this program writes none, and its lock could be outside the folder.
		if idForm.MatchString(id) {
			all = append(all, s.pending(id, root, source))
		}
		return err
	}, statement, args...)
	// Create the folder of the locks again if somebody removed it.
	if len(all) > 0 {
		if err := s.makePendingDir(); err != nil {
			return nil, err
		}
	}
	all = slices.DeleteFunc(all, func(p *Pending) bool { return !isPlain(p.lock.Path()) })
	return all, err
}

// Standing is like [Store.Standing], but for the files of a pending apply.
func (p *Pending) Standing(ctx context.Context, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return p.store.standings(ctx, current, "SELECT seq FROM apply WHERE id = ? AND pending", p.ID)
}

// Folders returns the folders that the apply was going to create and to remove, parents first.
func (p *Pending) Folders(ctx context.Context) (made, pruned []string, err error) {
	err = each(ctx, p.store.db, func(scan scanner) error {
		var isMade bool
		var path string
		if err := scan(&isMade, &path); err != nil {
			return err
		}
		if isMade {
			made = append(made, path)
		} else {
			pruned = append(pruned, path)
		}
		return nil
	}, "SELECT made, path FROM folder WHERE apply = (SELECT seq FROM apply WHERE id = ?) ORDER BY made, n", p.ID)
	return made, pruned, p.store.wrap(err)
}
