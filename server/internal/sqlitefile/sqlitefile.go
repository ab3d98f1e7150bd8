// Package sqlitefile opens a SQLite file that several processes use at the same time, and that only its owner can read.
package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// patience is the longest time that a process waits for other processes. A write takes milliseconds.
const patience = 10 * time.Second

// Open opens the file at an absolute path. If the file or its folder is missing, Open creates it. `migrate` brings the
// schema up to date. Because of a lock on a second file, whose name ends in .lock, only one process at a time runs
// `migrate`.
func Open(ctx context.Context, path string, migrate func(context.Context, *sql.DB) error) (*sql.DB, error) {
	unlock, err := lock(ctx, path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return openLocked(ctx, path, migrate)
}

func openLocked(ctx context.Context, path string, migrate func(context.Context, *sql.DB) error) (*sql.DB, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, err
	}
	err = checkStored(ctx, db)
	if err == nil {
		err = migrate(ctx, db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// lock makes sure that only one process at a time creates and migrates the file. SQLite's own locks do not cover the
// switch to WAL, during which a second process would get "database is locked" immediately.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	path := strings.TrimSuffix(file, filepath.Ext(file)) + ".lock"
	for _, name := range []string{path, file, file + "-wal", file + "-shm", file + "-journal", mark(file)} {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file; remove it, or name the file itself if it is a symbolic link", name)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l := flock.New(path, flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 2*time.Millisecond); err != nil {
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return func() { l.Unlock() }, nil
}

// create makes an empty file that only the user can read. SQLite gives its other files the same mode. create does not
// open an existing file, because closing it would release SQLite's locks on the file in this process
// (https://sqlite.org/howtocorrupt.html).
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn returns the data source name of the file, with the options of every connection. Writing transactions lock the
// file when they begin, because a transaction that reads first cannot wait for the lock later.
func dsn(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the URL of C:/… is file:///C:/…
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {fmt.Sprint(patience.Milliseconds())},
		"_foreign_keys": {"1"},
		"_txlock":       {"immediate"},
		"_error_rc":     {"1"}, // without this option, the error for a file that cannot be opened is "out of memory"
	}.Encode()}
	return u.String()
}
