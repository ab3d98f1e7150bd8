package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A Standing is how a file stands now that an apply changed.
type Standing int

// The ways in which it can.
const (
	Left   Standing = iota // as the apply left it
	Undone                 // as it was before the apply
	Moved                  // neither: it was edited since
)

// Standing is how the files stand that the latest apply of key to root changed,
// by path; none where no such apply is recorded, or it was reverted. A file stands
// as left when its decoded text is the same (the bytes, where it is not text),
// whatever its encoding, and, where the apply made it executable or took that
// away, when that holds too. current reads one file as it is now; its errors are
// passed on.
func (s *Store) Standing(ctx context.Context, root, key string, current func(path string) (Content, error)) (map[string]Standing, error) {
	files, err := s.leftBy(ctx, filepath.Clean(root), key)
	if err != nil {
		return nil, s.wrap(err)
	}
	standing := map[string]Standing{}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		now, err := current(f.path)
		if err != nil {
			return nil, err
		}
		standing[f.path] = f.standing(now)
	}
	return standing, nil
}

// A leftFile is how an apply left a file.
type leftFile struct {
	path          string
	text          []byte // textSum of what was left
	old           []byte // sum of the bytes before; none where there was no file
	before, after sql.NullInt64
}

func (s *Store) leftBy(ctx context.Context, root, key string) ([]leftFile, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT path, after_text, before_sum, before_mode, after_mode FROM file
		WHERE apply = (SELECT max(seq) FROM apply WHERE root = ? AND key = ? AND NOT reverted) ORDER BY n`, root, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var files []leftFile
	for rows.Next() {
		var f leftFile
		if err := rows.Scan(&f.path, &f.text, &f.old, &f.before, &f.after); err != nil {
			return nil, err
		}
		if f.after.Valid != (len(f.text) > 0) {
			return nil, fmt.Errorf("%s: %w", f.path, errDamaged)
		}
		files = append(files, f)
	}
	return files, rows.Err()
}

func (f leftFile) standing(now Content) Standing {
	switch {
	case f.stands(now):
		return Left
	case now.Exists == f.before.Valid && (!now.Exists || bytes.Equal(sum(now.Data), f.old)):
		return Undone
	}
	return Moved
}

func (f leftFile) stands(now Content) bool {
	if !bytes.Equal(textSum(now), f.text) {
		return false
	}
	turned := f.before.Valid && f.after.Valid && executable(f.before.Int64) != executable(f.after.Int64)
	return !turned || executable(int64(now.Mode)) == executable(f.after.Int64)
}

func executable(mode int64) bool { return fs.FileMode(mode)&0o111 != 0 }
