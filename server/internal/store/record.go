package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

// Record adds an apply, in one transaction. Its id must be new.
func (s *Store) Record(ctx context.Context, a Apply) error {
	if err := s.record(ctx, a); err != nil {
		return s.wrap(fmt.Errorf("recording %s: %w", a.ID, err))
	}
	return nil
}

// MarkReverted notes that the apply with that whole id was undone, or returns
// [ErrNotFound]. Doing it again changes nothing.
func (s *Store) MarkReverted(ctx context.Context, id string) error {
	result, err := s.db.ExecContext(ctx, "UPDATE apply SET reverted = 1 WHERE id = ?", id)
	if err != nil {
		return s.wrap(fmt.Errorf("marking %s as reverted: %w", id, err))
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return s.wrap(fmt.Errorf("%s: %w", id, errors.Join(ErrNotFound, err)))
	}
	return nil
}

func (s *Store) record(ctx context.Context, a Apply) error {
	switch {
	case a.ID == "":
		return errors.New("an apply needs an id")
	case !filepath.IsAbs(a.Root):
		return fmt.Errorf("the root %q is not absolute", a.Root)
	case len(a.Files) == 0:
		return errors.New("an apply that touched no file has no history")
	}
	blobs, err := packAll(a.Files) // now, so that the write lock is held shortly
	if err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := insertBlobs(ctx, tx, blobs); err != nil {
		return err
	}
	if err := insertApply(ctx, tx, a); err != nil {
		return err
	}
	return tx.Commit()
}

// A blob is content as it is stored.
type blob struct {
	sum  []byte
	size int64
	data []byte
}

func packAll(files []File) ([]blob, error) {
	var blobs []blob
	seen := map[string]bool{}
	p := newPacker()
	for _, f := range files {
		for _, c := range []Content{f.Before, f.After} {
			if !c.Exists || seen[c.Data] {
				continue
			}
			seen[c.Data] = true
			packed, err := p.pack(c.Data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Path, err)
			}
			blobs = append(blobs, blob{sum(c.Data), int64(len(c.Data)), packed})
		}
	}
	return blobs, nil
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

func insertApply(ctx context.Context, tx *sql.Tx, a Apply) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO apply (id, time, root, key, label, source, reverted)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, a.ID, a.Time.UnixMicro(), filepath.Clean(a.Root), a.Key, a.Label, a.Source, a.Reverted)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	return insertFiles(ctx, tx, seq, a.Files)
}

func insertFiles(ctx context.Context, tx *sql.Tx, seq int64, files []File) error {
	stmt, err := tx.PrepareContext(ctx, `INSERT INTO file
		(apply, n, path, before_sum, before_mode, after_sum, after_mode, after_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for n, f := range files {
		beforeSum, beforeMode := columns(f.Before)
		afterSum, afterMode := columns(f.After)
		if _, err := stmt.ExecContext(ctx, seq, n, f.Path, beforeSum, beforeMode, afterSum, afterMode, textSum(f.After)); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// columns are both NULL where there is no file.
func columns(c Content) ([]byte, sql.NullInt64) {
	if !c.Exists {
		return nil, sql.NullInt64{}
	}
	return sum(c.Data), sql.NullInt64{Int64: int64(c.Mode), Valid: true}
}
