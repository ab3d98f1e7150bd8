package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Damaged reports whether an error means that the file is damaged, or is no database.
func Damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// OpenOrReplace is [Open] of a file that a program can do without. One that migrate
// finds damaged, or that was marked by [MarkDamaged], is renamed to aside, and a new one
// is made. aside is "" where the file is sound.
func OpenOrReplace(ctx context.Context, path string, migrate func(context.Context, *sql.DB) error) (db *sql.DB, aside string, err error) {
	unlock, err := lock(ctx, path)
	if err != nil {
		return nil, "", err
	}
	defer unlock()
	if _, err := os.Lstat(mark(path)); errors.Is(err, fs.ErrNotExist) {
		if db, err := openLocked(ctx, path, migrate); !Damaged(err) {
			return db, "", err
		}
	}
	if aside, err = setAside(path); err != nil {
		return nil, "", err
	}
	db, err = openLocked(ctx, path, migrate)
	return db, aside, err
}

// MarkDamaged makes the next [OpenOrReplace] replace the file.
func MarkDamaged(path string) error { return os.WriteFile(mark(path), nil, 0o600) }

func mark(path string) string { return path + "-damaged" }

// setAside renames the file. Its log goes first: SQLite would write the content of one
// that it finds beside a new file to that file.
func setAside(path string) (aside string, err error) {
	ext := filepath.Ext(path)
	aside = strings.TrimSuffix(path, ext) + time.Now().UTC().Format("-damaged-20060102T150405.000000") + ext
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := renameClosed(path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("it is damaged, and could not be set aside (end other programs that use it): %w", err)
		}
	}
	if err := os.Remove(mark(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return aside, nil
}

// closing is how long a program takes to close a file that it found damaged: what watches it
// looks each second.
const closing = 2 * time.Second

// renameClosed renames a file as soon as it is closed: Windows renames none that is open.
func renameClosed(from, to string) error {
	err := os.Rename(from, to)
	for end := time.Now().Add(closing); runtime.GOOS == "windows" && err != nil && !errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}
