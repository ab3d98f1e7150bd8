package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Limits limits how much history is kept. If there is more, the oldest applies are removed first. The latest apply is
// always kept, even if it is too large. A pending apply is kept until it has ended.
type Limits struct {
	Age  time.Duration // 0 means no limit
	Size int64         // the used bytes of the file; 0 means no limit
}

const keepIgnored = "ignored"

// SetKeepIgnored sets, for all processes, whether the history keeps the contents of files that git ignores.
func (s *Store) SetKeepIgnored(ctx context.Context, keep bool) error {
	now, err := s.KeepIgnored(ctx)
	if err == nil && now != keep {
		err = s.transact(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO bound (name, value) VALUES (?, ?)", keepIgnored, keep)
			return err
		})
	}
	return s.during("storing whether ignored files are kept", err)
}

// KeepIgnored returns the value that the last call of [Store.SetKeepIgnored] set, or false.
func (s *Store) KeepIgnored(ctx context.Context) (keep bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT value <> 0 FROM bound WHERE name = ?", keepIgnored).Scan(&keep)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return keep, s.wrap(err)
}

// limitAge and limitSize are the names of the stored limits. They are stored because several processes share a history,
// and only some of them can read the person's settings.
const limitAge, limitSize = "age", "size" // in microseconds and in bytes

// SetLimits stores the limits from the person's settings for all processes.
func (s *Store) SetLimits(ctx context.Context, l Limits) error {
	now, err := s.limits(ctx, Limits{-1, -1})
	if err == nil && now != l {
		err = s.transact(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO bound (name, value) VALUES (?, ?), (?, ?)",
				limitAge, l.Age.Microseconds(), limitSize, l.Size)
			return err
		})
	}
	return s.during("storing the limits of the history", err)
}

func (s *Store) limits(ctx context.Context, otherwise Limits) (Limits, error) {
	l := otherwise
	err := each(ctx, s.db, func(scan scanner) error {
		var name string
		var value int64
		err := scan(&name, &value)
		switch name {
		case limitAge:
			l.Age = time.Duration(value) * time.Microsecond
		case limitSize:
			l.Size = value
		}
		return err
	}, "SELECT name, value FROM bound")
	return l, err
}

// Limits for one call of Prune, which runs during an apply, while a person waits. A call removes at most pruneBatch
// applies because of their age, and as many because of the size, and frees at most vacuumPages pages.
const (
	pruneBatch  = 32
	vacuumPages = 1024
)

// Prune removes applies that exceed the stored limits, or the limits in `otherwise` if none are stored. If there are
// too many, later calls remove the rest.
func (s *Store) Prune(ctx context.Context, now time.Time, otherwise Limits) error {
	return s.during("removing old applies", s.prune(ctx, now, otherwise))
}

func (s *Store) prune(ctx context.Context, now time.Time, otherwise Limits) error {
	l, err := s.limits(ctx, otherwise)
	if err != nil {
		return err
	}
	if l.Age > 0 {
		err := s.drop(ctx, "SELECT seq FROM apply WHERE time < ? AND NOT pending AND seq < (SELECT max(seq) FROM apply) ORDER BY seq LIMIT ?",
			now.Add(-l.Age).UnixMicro(), pruneBatch)
		if err != nil {
			return err
		}
	}
	for n := 0; l.Size > 0 && n < pruneBatch; n++ {
		used, err := s.used(ctx)
		if err != nil {
			return err
		}
		if used <= l.Size {
			break
		}
		err = s.drop(ctx, "SELECT seq FROM apply WHERE NOT pending AND seq < (SELECT max(seq) FROM apply) ORDER BY seq LIMIT 1")
		if err != nil {
			return err
		}
	}
	return s.vacuum(ctx)
}

func (s *Store) drop(ctx context.Context, applies string, args ...any) error {
	// Most calls find no applies to remove. This query finds that out without a write lock.
	var any bool
	if err := s.db.QueryRowContext(ctx, "SELECT EXISTS ("+applies+")", args...).Scan(&any); err != nil || !any {
		return err
	}
	return s.transact(ctx, func(tx *sql.Tx) error { return remove(ctx, tx, applies, args...) })
}

func remove(ctx context.Context, tx *sql.Tx, applies string, args ...any) error {
	seqs, err := column[int64](ctx, tx, applies, args...)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		sums, err := column[[]byte](ctx, tx, `SELECT before_sum FROM file WHERE apply = ?1 AND before_sum IS NOT NULL
			UNION SELECT after_sum FROM file WHERE apply = ?1 AND after_sum IS NOT NULL`, seq)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM apply WHERE seq = ?", seq); err != nil {
			return err
		}
		for _, sum := range sums {
			_, err := tx.ExecContext(ctx, `DELETE FROM blob WHERE sum = ?1 AND NOT EXISTS (SELECT 1 FROM file WHERE before_sum = ?1)
				AND NOT EXISTS (SELECT 1 FROM file WHERE after_sum = ?1)`, sum)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func column[T any](ctx context.Context, tx *sql.Tx, statement string, args ...any) (all []T, err error) {
	err = each(ctx, tx, func(scan scanner) error {
		var v T
		err := scan(&v)
		all = append(all, v)
		return err
	}, statement, args...)
	return all, err
}

func (s *Store) used(ctx context.Context) (int64, error) {
	pages, err1 := s.pragma(ctx, "page_count")
	free, err2 := s.pragma(ctx, "freelist_count")
	size, err3 := s.pragma(ctx, "page_size")
	return (pages - free) * size, errors.Join(err1, err2, err3)
}

func (s *Store) pragma(ctx context.Context, name string) (n int64, err error) {
	return n, s.db.QueryRowContext(ctx, "PRAGMA "+name).Scan(&n)
}

// vacuum frees pages of the file that are not used. It does nothing if there are only a few of them, because the next
// records need pages.
func (s *Store) vacuum(ctx context.Context) error {
	free, err := s.pragma(ctx, "freelist_count")
	if err != nil || free < vacuumPages/16 {
		return err
	}
	_, err = s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumPages))
	return err
}
