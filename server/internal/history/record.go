package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// MarkReverted marks an apply as reverted. If that apply was itself a revert, the apply that it reverted is in force
// again. A second call changes nothing. The id must not be shortened. If it is unknown, the error is [ErrNotFound].
func (s *Store) MarkReverted(ctx context.Context, id string) error {
	return s.during("marking "+id+" as reverted", s.transact(ctx, func(tx *sql.Tx) error { return markReverted(ctx, tx, id) }))
}

// markReverted follows the chain of reverts. It stops at an apply that is already marked correctly, or that is no
// longer in the history.
func markReverted(ctx context.Context, tx *sql.Tx, id string) error {
	for first, undone := true, true; first || id != ""; first, undone = false, !undone {
		var undoes string
		var was bool
		err := tx.QueryRowContext(ctx, "SELECT CASE part WHEN 0 THEN undoes ELSE '' END, reverted FROM apply WHERE id = ? AND NOT pending", id).Scan(&undoes, &was)
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

// record adds a pending apply, whose id must be new.
func (s *Store) record(ctx context.Context, a Apply) error {
	switch {
	case a.ID == "":
		return errors.New("an apply needs an id")
	case !filepath.IsAbs(a.Root):
		return fmt.Errorf("the root %q is not absolute", a.Root)
	case len(a.Files) == 0:
		return errors.New("an apply that changed no file is not recorded")
	}
	files := text.Each(a.Files, newStoredFile)
	// Contents are packed before the transaction, so that the write lock is held only briefly.
	blobs, err := packAll(contentsOf(files))
	if err != nil {
		return err
	}
	batches, err := packBatches(a.Batches)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(tx *sql.Tx) error {
		// Single statements must not be cancelled: the driver would start a goroutine for each of them, and there can
		// be thousands. The transaction still ends if the outer ctx ends.
		ctx := context.WithoutCancel(ctx)
		rows := text.Each(blobs, func(b blob) []any { return []any{b.sum[:], b.size, b.packed} })
		if err := insert(ctx, tx, "blob (sum, size, data)", " ON CONFLICT (sum) DO NOTHING", rows); err != nil {
			return err
		}
		if err := insertApply(ctx, tx, a, files); err != nil {
			return err
		}
		return insertBatches(ctx, tx, a.ID, batches)
	})
}

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

type blob struct {
	sum    [sha256.Size]byte // the hash of the content; a different hash if the blob is a delta, or is not kept
	size   int               // the size of the content in bytes, or notKeptSize
	data   string            // the content before it is packed
	packed []byte
}

type storedFile struct {
	File
	before, after blob
	afterText     []byte // from [textSum]
}

// newStoredFile returns a file in the form in which it is stored. It computes the hashes of the contents only if they
// are not known yet.
func newStoredFile(f File) storedFile {
	if f.Sums == nil {
		f.Sums = &text.Sums{Before: text.Sum(f.Before.Data), After: text.Sum(f.After.Data)}
	}
	s := storedFile{File: f, afterText: textSum(f.After, f.Sums.After[:])}
	if f.NotKept {
		s.before, s.after = notKeptBlob(f.Sums.Before), notKeptBlob(f.Sums.After)
		return s
	}
	s.before = blob{sum: f.Sums.Before, size: len(f.Before.Data), data: f.Before.Data}
	s.after = blob{sum: f.Sums.After, size: len(f.After.Data), data: f.After.Data}
	if f.Before.Exists && f.After.Exists && f.Sums.Before != f.Sums.After {
		if delta := deltaOf(f.Before.Data, f.After.Data); delta != nil {
			s.after = blob{sum: deltaSum(*f.Sums), size: len(f.After.Data), packed: delta}
		}
	}
	return s
}

func contentsOf(files []storedFile) (contents []blob) {
	seen := map[[sha256.Size]byte]bool{}
	add := func(c text.Content, b blob) {
		if c.Exists && !seen[b.sum] {
			seen[b.sum] = true
			contents = append(contents, b)
		}
	}
	for _, f := range files {
		add(f.Before, f.before)
		add(f.After, f.after)
	}
	return contents
}

// packAll compresses the contents that are not packed yet. It uses all processors, because compressing takes most of
// the time that a record needs.
func packAll(blobs []blob) ([]blob, error) {
	largest := 0
	for _, b := range blobs {
		largest = max(largest, len(b.data))
	}
	workers := min(runtime.GOMAXPROCS(0), len(blobs))
	group := parallel.New(workers)
	var next atomic.Int64
	for range workers {
		group.Go(func() error {
			p := newPacker(largest)
			for i := next.Add(1) - 1; i < int64(len(blobs)); i = next.Add(1) - 1 {
				if blobs[i].packed != nil {
					continue
				}
				packed, err := p.pack(blobs[i].data)
				if err != nil {
					return err
				}
				blobs[i].packed = packed
			}
			return nil
		})
	}
	return blobs, group.Wait()
}

// insert adds rows to a table. One statement for many rows takes less than half the time of one statement for each row.
// With OR FAIL, SQLite keeps the earlier rows if a row fails, so it does not copy each changed page first. These rows
// do no harm, because the whole transaction is then rolled back.
func insert(ctx context.Context, tx *sql.Tx, into, end string, rows [][]any) error {
	for batch := range slices.Chunk(rows, 100) {
		row := ",(?" + strings.Repeat(",?", len(batch[0])-1) + ")"
		statement := "INSERT OR FAIL INTO " + into + " VALUES " + strings.Repeat(row, len(batch))[1:] + end
		if _, err := tx.ExecContext(ctx, statement, slices.Concat(batch...)...); err != nil {
			return err
		}
	}
	return nil
}

func insertApply(ctx context.Context, tx *sql.Tx, a Apply, files []storedFile) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO apply (id, time, root, key, label, source, undoes, part, reverted, pending)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, a.Time.UnixMicro(), filepath.Clean(a.Root), a.Key, a.Label, a.Source, a.Undoes, a.Part, true, true)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	if err := insertFiles(ctx, tx, seq, files); err != nil {
		return err
	}
	for _, key := range a.Blocks {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO applied_block (apply, key) VALUES (?, ?)", seq, key); err != nil {
			return err
		}
	}
	return insertFolders(ctx, tx, seq, a.Made, a.Pruned)
}

func insertFolders(ctx context.Context, tx *sql.Tx, seq int64, made, pruned []string) error {
	var rows [][]any
	for n, path := range made {
		rows = append(rows, []any{seq, true, n, path})
	}
	for n, path := range pruned {
		rows = append(rows, []any{seq, false, n, path})
	}
	return insert(ctx, tx, "folder (apply, made, n, path)", "", rows)
}

func insertFiles(ctx context.Context, tx *sql.Tx, seq int64, files []storedFile) error {
	rows := make([][]any, len(files))
	for n, f := range files {
		rows[n] = []any{seq, n, f.Path, sumColumn(f.Before, f.before.sum[:]), mode(f.Before),
			sumColumn(f.After, f.after.sum[:]), mode(f.After), f.afterText, f.Added, f.Removed, f.Agreed}
	}
	return insert(ctx, tx, "file (apply, n, path, before_sum, before_mode, after_sum, after_mode, after_text, added, removed, agreed)", "", rows)
}

func sumColumn(c text.Content, sum []byte) []byte {
	if !c.Exists {
		return nil
	}
	return sum
}

func mode(c text.Content) sql.NullInt64 { return sql.NullInt64{Int64: int64(c.Mode), Valid: c.Exists} }
