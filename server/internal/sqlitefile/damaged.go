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

// Damaged reports whether an error means that the file is damaged or is not a database.
func Damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// OpenOrReplace opens a file like [Open]. If the file was marked by [MarkDamaged], or if migrate finds damage,
// OpenOrReplace renames the file to aside and creates a new one. If the file is sound, aside is "". It is for data
// that a program can do without.
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

// MarkDamaged makes the next [OpenOrReplace] replace the file at path.
func MarkDamaged(path string) error { return os.WriteFile(mark(path), nil, 0o600) }

func mark(path string) string { return path + "-damaged" }

// setAside renames a damaged database file. It renames the file's log first, because SQLite would write the log of the
// old file into the new one.
func setAside(path string) (aside string, err error) {
	ext := filepath.Ext(path)
	aside = strings.TrimSuffix(path, ext) + time.Now().UTC().Format("-damaged-20060102T150405.000000") + ext
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := renameClosed(path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the database is damaged, but could not be moved aside; close other programs that use it: %w", err)
		}
	}
	if err := os.Remove(mark(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return aside, nil
}

// closing is how long other programs may take to close a damaged file. They look for damage every second.
const closing = 2 * time.Second

// renameClosed renames a file. On Windows, which cannot rename an open file, it waits for at most the time closing.
func renameClosed(from, to string) error {
	err := os.Rename(from, to)
	for end := time.Now().Add(closing); runtime.GOOS == "windows" && err != nil && !errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}
