package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Known reports whether an apply of key to root is recorded, not reverted, and
// every file that it touched stands now as it left it; of several such applies
// the latest counts. A file stands when its decoded text is the same (the bytes,
// where it is not text), whatever its encoding, and, where the apply made it
// executable or took that away, when that holds too. current reads one file as
// it is now; its errors are passed on.
func (s *Store) Known(ctx context.Context, root, key string, current func(path string) (Content, error)) (bool, error) {
	files, err := s.leftBy(ctx, filepath.Clean(root), key)
	if err != nil {
		return false, s.wrap(err)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		now, err := current(f.path)
		if err != nil {
			return false, err
		}
		if !f.stands(now) {
			return false, nil
		}
	}
	return len(files) > 0, nil
}

// A leftFile is how an apply left a file.
type leftFile struct {
	path          string
	text          []byte // textSum
	before, after sql.NullInt64
}

func (s *Store) leftBy(ctx context.Context, root, key string) ([]leftFile, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT path, after_text, before_mode, after_mode FROM file
		WHERE apply = (SELECT max(seq) FROM apply WHERE root = ? AND key = ? AND NOT reverted) ORDER BY n`, root, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var files []leftFile
	for rows.Next() {
		var f leftFile
		if err := rows.Scan(&f.path, &f.text, &f.before, &f.after); err != nil {
			return nil, err
		}
		if f.after.Valid != (len(f.text) > 0) {
			return nil, fmt.Errorf("%s: %w", f.path, errDamaged)
		}
		files = append(files, f)
	}
	return files, rows.Err()
}

func (f leftFile) stands(now Content) bool {
	if !bytes.Equal(textSum(now), f.text) {
		return false
	}
	turned := f.before.Valid && f.after.Valid && executable(f.before.Int64) != executable(f.after.Int64)
	return !turned || executable(int64(now.Mode)) == executable(f.after.Int64)
}

func executable(mode int64) bool { return fs.FileMode(mode)&0o111 != 0 }
