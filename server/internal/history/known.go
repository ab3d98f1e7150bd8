package history

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Standing is the result of comparing a file with an apply.
type Standing int

const (
	Left   Standing = iota // the file is as it was after the apply
	Undone                 // the file is as it was before the apply
	Moved                  // the file has been edited since, so it has neither its content before the apply nor its content after it
)

// Standing compares files with their state after the latest apply in `root` of the blocks with this key. The result has
// each file that the apply changed, by path. It is empty if there is no apply, or if it was reverted.
//
// A text file is still as the apply left it if its decoded text is the same, in any encoding. Any other file must have
// the same bytes. If the apply changed the executable bit, the bit must be the same, too. A link must have the same
// target. A file is never the same as a link or a folder. If the apply had no folder at a path, a folder at that path
// counts as missing, because it may exist only for the files in it.
//
// `current` reads the current state of a file without following a link. If it returns an error, Standing returns that
// error.
func (s *Store) Standing(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return s.standings(ctx, current, "SELECT max(seq) FROM apply WHERE root = ? AND key = ? AND NOT reverted", filepath.Clean(root), key)
}

// StandingOfReply is like [Store.Standing], but `key` is the key of a whole reply, as in [Apply.Blocks].
func (s *Store) StandingOfReply(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return s.standings(ctx, current, "SELECT max(a.seq) FROM applied_block b JOIN apply a ON a.seq = b.apply WHERE a.root = ? AND b.key = ? AND NOT a.reverted", filepath.Clean(root), key)
}

// StandingOf is like [Store.Standing], but for the apply with the given id, even if it was reverted. The id must not be
// shortened.
func (s *Store) StandingOf(ctx context.Context, id string, current func(path string) (text.Content, error)) (map[string]Standing, error) {
	return s.standings(ctx, current, "SELECT seq FROM apply WHERE id = ? AND NOT pending", id)
}

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

// Standing compares a file in the history with its current state (see [Store.Standing]).
func (f File) Standing(now Seen) Standing { return f.left.standing(now) }

// WithBefore returns the file as if its content before the apply had been `c`.
func (f File) WithBefore(c text.Content) File {
	sum := text.Sum(c.Data)
	f.Before, f.left.before, f.left.old = c, mode(c), sum[:]
	return f
}

// Together returns the standing of all files if it is the same for all, and otherwise [Moved].
func Together(standings []Standing) Standing {
	for _, s := range standings {
		if s != standings[0] {
			return Moved
		}
	}
	return standings[0]
}

// A Seen is the current state of a file, to be compared with applies. It has hashes in place of the content, so that
// many files take little memory.
type Seen struct {
	exists bool
	mode   fs.FileMode
	raw    [sha256.Size]byte // the hash of the bytes
	text   []byte            // from [textSum]
}

// See returns the state of a file with this content, which can be compared with all applies that changed the file.
func See(now text.Content) Seen {
	if !now.Exists {
		return Seen{}
	}
	raw := text.Sum(now.Data)
	return Seen{true, now.Mode, raw, textSum(now, raw[:])}
}

type leftFile struct {
	path          string
	text          []byte // from [textSum], for the content after the apply
	old           []byte // the hash of the bytes before the apply; nil if there was no file
	before, after sql.NullInt64
}

// leftBy returns the files of an apply as they were after it. `apply` is an SQL statement that selects the seq of the
// apply.
func (s *Store) leftBy(ctx context.Context, apply string, args ...any) (files []leftFile, err error) {
	return files, each(ctx, s.db, func(scan scanner) error {
		var f leftFile
		if err := scan(&f.path, &f.text, &f.old, &f.before, &f.after); err != nil {
			return err
		}
		if f.after.Valid != (len(f.text) > 0) {
			return sqlitefile.NotOurs(fmt.Errorf("the state of %s is missing", f.path))
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

// withoutNewFolder returns `now`. If `now` is a folder and no folder was recorded at its path, it returns the state of
// a missing file, because the folder may exist only for the files in it.
func withoutNewFolder(now Seen, mode sql.NullInt64) Seen {
	if now.mode.IsDir() && !fs.FileMode(mode.Int64).IsDir() {
		return Seen{}
	}
	return now
}

func (f leftFile) isBefore(now Seen) bool {
	return sameType(now, f.before) && (!now.exists || isOld(now.raw, f.old)) && (!f.turned() || executable(int64(now.mode)) == executable(f.before.Int64))
}

// turned reports whether the apply changed the executable bit of the file.
func (f leftFile) turned() bool {
	return f.before.Valid && f.after.Valid && executable(f.before.Int64) != executable(f.after.Int64)
}

// isOld reports whether content with the hash `sum` is stored under the hash `name`. Content that is not kept has a
// different name (see [notKeptSum]).
func isOld(sum [sha256.Size]byte, name []byte) bool {
	notKept := notKeptSum(sum)
	return bytes.Equal(sum[:], name) || bytes.Equal(notKept[:], name)
}

// sameType reports whether the current state has the recorded type: a file, a link, a folder, or nothing.
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
	return !f.turned() || executable(int64(now.mode)) == executable(f.after.Int64)
}

// executable reports whether a mode belongs to an executable regular file. It returns false for links, because their
// bits differ between systems.
func executable(mode int64) bool {
	m := fs.FileMode(mode)
	return m.IsRegular() && text.Executable(m)
}
