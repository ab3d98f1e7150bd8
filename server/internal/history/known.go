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

// A Standing says how the present state of a file compares with an apply that changed it.
type Standing int

// The possible results of the comparison.
const (
	Left   Standing = iota // the file is as the apply left it
	Undone                 // the file is as it was before the apply
	Moved                  // the file was edited since, and is neither as before nor as after the apply
)

// Standing compares the files that the latest apply of key to root changed with that apply,
// by path. It returns none if no such apply is recorded or if it was reverted.
//
// A file counts as left by the apply if its decoded text is the same, in any encoding (or its
// bytes, if it is not text). If the apply changed whether the file is executable, that must
// be the same, too. A link must have the same target. A file, a link and a folder never count
// as the same. If the apply recorded no folder at a path, a folder there counts as missing,
// because it may exist only for the files in it.
//
// current reads the present state of one file without following a link. Its errors are
// returned.
func (s *Store) Standing(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return s.standings(ctx, current, "SELECT max(seq) FROM apply WHERE root = ? AND key = ? AND NOT reverted", filepath.Clean(root), key)
}

// StandingOf is [Store.Standing] for the apply with a whole id, whether it was reverted or
// not.
func (s *Store) StandingOf(ctx context.Context, id string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return s.standings(ctx, current, "SELECT seq FROM apply WHERE id = ? AND NOT pending", id)
}

// standings compares the files of the apply that a statement selects.
func (s *Store) standings(ctx context.Context, current func(path string) (text.Content, error), apply string, args ...any) (map[string]Standing, error) {
	files, err := s.leftBy(ctx, apply, args...)
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
		standing[f.path] = f.standing(See(now))
	}
	return standing, nil
}

// Standing compares a file from the history with its present state: see [Store.Standing].
func (f File) Standing(now Seen) Standing { return f.left.standing(now) }

// WithBefore returns the file as if the apply had found it with another content.
func (f File) WithBefore(c text.Content) File {
	sum := text.Sum(c.Data)
	f.Before, f.left.before, f.left.old = c, mode(c), sum[:]
	return f
}

// Together returns the standing that all files share, or [Moved] if they differ.
func Together(standings []Standing) Standing {
	for _, s := range standings {
		if s != standings[0] {
			return Moved
		}
	}
	return standings[0]
}

// A Seen is the present state of a file, for comparison with applies. It does not hold the
// content, so many of them take little memory.
type Seen struct {
	exists bool
	mode   fs.FileMode
	raw    [sha256.Size]byte // sum of the bytes
	text   []byte            // see [textSum]
}

// See reads a content once, for all applies that changed the file.
func See(now text.Content) Seen {
	if !now.Exists {
		return Seen{}
	}
	raw := text.Sum(now.Data)
	return Seen{true, now.Mode, raw, textSum(now, raw[:])}
}

// A leftFile holds the state in which an apply left a file.
type leftFile struct {
	path          string
	text          []byte // [textSum] of that state
	old           []byte // sum of the bytes before; nil if there was no file
	before, after sql.NullInt64
}

// leftBy returns the files of an apply as it left them. apply is a statement that selects the
// apply's seq.
func (s *Store) leftBy(ctx context.Context, apply string, args ...any) (files []leftFile, err error) {
	return files, each(ctx, s.db, func(scan scanner) error {
		var f leftFile
		if err := scan(&f.path, &f.text, &f.old, &f.before, &f.after); err != nil {
			return err
		}
		if f.after.Valid != (len(f.text) > 0) {
			return fmt.Errorf("%s: %w", f.path, errDamaged)
		}
		files = append(files, f)
		return nil
	}, `SELECT path, after_text, before_sum, before_mode, after_mode FROM file WHERE apply = (`+apply+`) ORDER BY n`, args...)
}

func (f leftFile) standing(now Seen) Standing {
	switch {
	case f.isLeft(withoutNewFolder(now, f.after)):
		return Left
	case f.isBefore(withoutNewFolder(now, f.before)):
		return Undone
	}
	return Moved
}

// withoutNewFolder returns the present state of a path, but nothing for a folder if the recorded mode is
// not that of a folder.
func withoutNewFolder(now Seen, mode sql.NullInt64) Seen {
	if now.mode.IsDir() && !fs.FileMode(mode.Int64).IsDir() {
		return Seen{}
	}
	return now
}

func (f leftFile) isBefore(now Seen) bool {
	return sameType(now, f.before) && (!now.exists || isOld(now.raw, f.old))
}

// isOld reports whether a content with the given sum is the one that the history stores under the hash
// name.
func isOld(sum [sha256.Size]byte, name []byte) bool {
	notKept := notKeptSum(sum)
	return bytes.Equal(sum[:], name) || bytes.Equal(notKept[:], name)
}

// sameType reports whether now has the recorded type: a file, a link, a folder, or nothing.
func sameType(now Seen, mode sql.NullInt64) bool {
	if !now.exists || !mode.Valid {
		return now.exists == mode.Valid
	}
	return now.mode.Type() == fs.FileMode(mode.Int64).Type()
}

func (f leftFile) isLeft(now Seen) bool {
	if !sameType(now, f.after) || !bytes.Equal(now.text, f.text) {
		return false
	}
	turned := f.before.Valid && f.after.Valid && executable(f.before.Int64) != executable(f.after.Int64)
	return !turned || executable(int64(now.mode)) == executable(f.after.Int64)
}

// executable reports whether a regular file is executable. The bits of a link differ
// between systems.
func executable(mode int64) bool {
	m := fs.FileMode(mode)
	return m.IsRegular() && text.Executable(m)
}
