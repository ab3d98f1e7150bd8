package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Record adds an apply, in one transaction. Its id must be new.
func (s *Store) Record(ctx context.Context, a Apply) error {
	if err := s.record(ctx, a, false); err != nil {
		return s.wrap(fmt.Errorf("recording %s: %w", a.ID, err))
	}
	return nil
}

// MarkReverted notes that the apply with that whole id was undone, or returns
// [ErrNotFound]. Where it took back another one itself, that one is in force
// again. Doing it again changes nothing.
func (s *Store) MarkReverted(ctx context.Context, id string) error {
	err := s.transact(ctx, func(tx *sql.Tx) error { return markReverted(ctx, tx, id) })
	if err != nil {
		return s.wrap(fmt.Errorf("marking %s as reverted: %w", id, err))
	}
	return nil
}

// markReverted goes down the chain of what undid what, and ends where an apply is
// marked as it should be, or is no longer known.
func markReverted(ctx context.Context, tx *sql.Tx, id string) error {
	for first, undone := true, true; first || id != ""; first, undone = false, !undone {
		var undoes string
		var was bool
		err := tx.QueryRowContext(ctx, "SELECT undoes, reverted FROM apply WHERE id = ? AND NOT pending", id).Scan(&undoes, &was)
		switch {
		case errors.Is(err, sql.ErrNoRows) && first:
			return ErrNotFound
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil || was == undone:
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE apply SET reverted = ? WHERE id = ?", undone, id); err != nil {
			return err
		}
		id = undoes
	}
	return nil
}

// transact runs f in a writing transaction.
func (s *Store) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	return tx.Commit()
}

func (s *Store) record(ctx context.Context, a Apply, pending bool) error {
	switch {
	case a.ID == "":
		return errors.New("an apply needs an id")
	case !filepath.IsAbs(a.Root):
		return fmt.Errorf("the root %q is not absolute", a.Root)
	case len(a.Files) == 0:
		return errors.New("an apply that touched no file has no history")
	}
	contents := contentsOf(a.Files)
	blobs, err := packAll(contents) // now, so that the write lock is held shortly
	if err != nil {
		return err
	}
	names := make(names, len(blobs))
	for i, b := range blobs {
		names[contents[i]] = b.sum
	}
	batches, err := packBatches(a.Batches)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(tx *sql.Tx) error {
		// There can be thousands of statements, and for each that can be cut off the
		// driver starts a goroutine. The transaction still ends with ctx.
		ctx := context.WithoutCancel(ctx)
		if err := insertBlobs(ctx, tx, blobs); err != nil {
			return err
		}
		if err := insertApply(ctx, tx, a, names, pending); err != nil {
			return err
		}
		if err := insertBatches(ctx, tx, a.ID, batches); err != nil || pending {
			return err
		}
		return undone(ctx, tx, a.Undoes)
	})
}

// undone marks what an apply took back, which may be gone from the history.
func undone(ctx context.Context, tx *sql.Tx, id string) error {
	if id == "" {
		return nil
	}
	err := markReverted(ctx, tx, id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// A blob is content as it is stored.
type blob struct {
	sum  []byte
	size int64
	data []byte
}

// names are contents and their sums, so that each is hashed once. What is not in it is
// hashed when asked for.
type names map[string][]byte

func (n names) of(data string) []byte {
	if name, ok := n[data]; ok {
		return name
	}
	return sum(data)
}

// contentsOf lists the contents of files, each once.
func contentsOf(files []File) (contents []string) {
	seen := map[string]bool{}
	for _, f := range files {
		for _, c := range []text.Content{f.Before, f.After} {
			if c.Exists && !seen[c.Data] {
				seen[c.Data] = true
				contents = append(contents, c.Data)
			}
		}
	}
	return contents
}

// packAll compresses and hashes on all processors: that is most of what recording
// takes.
func packAll(contents []string) ([]blob, error) {
	blobs := make([]blob, len(contents))
	errs := make([]error, min(runtime.GOMAXPROCS(0), len(contents)))
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range errs {
		wg.Go(func() {
			p := newPacker()
			for i := next.Add(1) - 1; i < int64(len(contents)); i = next.Add(1) - 1 {
				b, err := p.blob(contents[i])
				errs[worker] = errors.Join(errs[worker], err)
				blobs[i] = b
			}
		})
	}
	wg.Wait()
	return blobs, errors.Join(errs...)
}

func insertBlobs(ctx context.Context, tx *sql.Tx, blobs []blob) error {
	stmt, err := tx.PrepareContext(ctx, "INSERT INTO blob (sum, size, data) VALUES (?, ?, ?) ON CONFLICT (sum) DO NOTHING")
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, b := range blobs {
		if _, err := stmt.ExecContext(ctx, b.sum, b.size, b.data); err != nil {
			return err
		}
	}
	return nil
}

func insertApply(ctx context.Context, tx *sql.Tx, a Apply, names names, pending bool) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO apply (id, time, root, key, label, source, undoes, reverted, pending)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, a.Time.UnixMicro(), filepath.Clean(a.Root), a.Key, a.Label, a.Source, a.Undoes, a.Reverted || pending, pending)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	if err := insertFiles(ctx, tx, seq, a.Files, names); err != nil {
		return err
	}
	if err := insertFolders(ctx, tx, seq, true, a.Made); err != nil {
		return err
	}
	return insertFolders(ctx, tx, seq, false, a.Pruned)
}

func insertFolders(ctx context.Context, tx *sql.Tx, seq int64, made bool, paths []string) error {
	for n, path := range paths {
		if _, err := tx.ExecContext(ctx, "INSERT INTO folder (apply, made, n, path) VALUES (?, ?, ?, ?)", seq, made, n, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func insertFiles(ctx context.Context, tx *sql.Tx, seq int64, files []File, names names) error {
	stmt, err := tx.PrepareContext(ctx, `INSERT INTO file
		(apply, n, path, before_sum, before_mode, after_sum, after_mode, after_text, added, removed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for n, f := range files {
		beforeSum, beforeMode := names.columns(f.Before)
		afterSum, afterMode := names.columns(f.After)
		if _, err := stmt.ExecContext(ctx, seq, n, f.Path, beforeSum, beforeMode, afterSum, afterMode, textName(f.After, names.of), f.Added, f.Removed); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// columns are both NULL where there is no file.
func (n names) columns(c text.Content) ([]byte, sql.NullInt64) {
	if !c.Exists {
		return nil, sql.NullInt64{}
	}
	return n.of(c.Data), sql.NullInt64{Int64: int64(c.Mode), Valid: true}
}
