package history

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Standing is how a file that an apply changed compares with that apply now.
type Standing int

// The ways in which it can.
const (
	Left   Standing = iota // as the apply left it
	Undone                 // as it was before the apply
	Moved                  // neither: it was edited since
)

// Standing compares the files that the latest apply of key to root changed with that
// apply, by path; none where no such apply is recorded, or it was reverted. A file is
// as left when its decoded text is the same (the bytes, where it is not text),
// whatever its encoding, and, where the apply made it executable or took that
// away, when that holds too; a link when its target is the same. A file, a link
// and a folder are never the same; a folder is nothing where none was recorded, as
// it may be there for the files in it. current reads one file as it is now, without
// following a link; its errors are passed on.
func (s *Store) Standing(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	files, err := s.leftBy(ctx, "SELECT max(seq) FROM apply WHERE root = ? AND key = ? AND NOT reverted", filepath.Clean(root), key)
	if err != nil {
		return nil, s.wrap(err)
	}
	return standings(ctx, files, current)
}

// StandingOf is [Store.Standing] for the apply with that whole id, reverted or not.
func (s *Store) StandingOf(ctx context.Context, id string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	files, err := s.leftBy(ctx, "SELECT seq FROM apply WHERE id = ? AND NOT pending", id)
	if err != nil {
		return nil, s.wrap(err)
	}
	return standings(ctx, files, current)
}

func standings(ctx context.Context, files []leftFile, current func(path string) (text.Content, error)) (map[string]Standing, error) {
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

// Standing compares the file with what it is now: see [Store.Standing].
func (f File) Standing(now text.Content) Standing {
	if f.NotKept != nil {
		return f.NotKept.left.standing(now)
	}
	return leftFile{f.Path, textSum(f.After), sum(f.Before.Data), mode(f.Before), mode(f.After)}.standing(now)
}

// A leftFile is how an apply left a file.
type leftFile struct {
	path          string
	text          []byte // textSum of what was left
	old           []byte // sum of the bytes before; none where there was no file
	before, after sql.NullInt64
}

// leftBy are the files of the apply whose seq a statement selects.
func (s *Store) leftBy(ctx context.Context, apply string, args ...any) ([]leftFile, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT path, after_text, before_sum, before_mode, after_mode FROM file
		WHERE apply = (`+apply+`) ORDER BY n`, args...)
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

func (f leftFile) standing(now text.Content) Standing {
	switch {
	case f.isLeft(beside(f.after, now)):
		return Left
	case f.isBefore(beside(f.before, now)):
		return Undone
	}
	return Moved
}

// beside is now as it compares with what was recorded of mode.
func beside(mode sql.NullInt64, now text.Content) text.Content {
	if now.Mode.IsDir() && !fs.FileMode(mode.Int64).IsDir() {
		return text.Content{}
	}
	return now
}

func (f leftFile) isBefore(now text.Content) bool {
	return sameType(now, f.before) && (!now.Exists || isOld(text.Sum(now.Data), f.old))
}

// isOld reports whether contents with a sum are those of a name in the history.
func isOld(sum [sha256.Size]byte, name []byte) bool {
	notKept := notKeptSum(sum)
	return bytes.Equal(sum[:], name) || bytes.Equal(notKept[:], name)
}

// sameType reports whether now is what mode says: a file, a link, a folder, nothing.
func sameType(now text.Content, mode sql.NullInt64) bool {
	if !now.Exists || !mode.Valid {
		return now.Exists == mode.Valid
	}
	return now.Mode.Type() == fs.FileMode(mode.Int64).Type()
}

func (f leftFile) isLeft(now text.Content) bool {
	if !sameType(now, f.after) || !bytes.Equal(textSum(now), f.text) {
		return false
	}
	turned := f.before.Valid && f.after.Valid && executable(f.before.Int64) != executable(f.after.Int64)
	return !turned || executable(int64(now.Mode)) == executable(f.after.Int64)
}

// executable asks files alone: what a link has of that differs between systems.
func executable(mode int64) bool {
	m := fs.FileMode(mode)
	return m.IsRegular() && text.Executable(m)
}
