// Package store is the history of applies: what each did to which files, in one
// SQLite file in the user's state folder. Windows, command lines and agents use
// it at the same time, each through its own process.
//
// Invariants: an apply is recorded whole or not at all; the schema only grows,
// so that an older program can go on with a newer one's file (see schema.go);
// contents are those of the files that an apply touched, and leave the machine
// by no way.
package store

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

const (
	fileName = "history.db"
	lockName = "history.lock"

	// patience is how long a process waits for others before it gives up. A
	// write takes milliseconds.
	patience = 10 * time.Second
)

// ErrNotFound is an id that no recorded apply has.
var ErrNotFound = errors.New("no such apply in the history")

// A Store is an open history. Its methods may be called at the same time. Their
// errors name the file; a caller can go on without history.
type Store struct {
	db   *sql.DB
	path string
}

// An Apply is one reply that was applied, or one apply that was taken back.
type Apply struct {
	ID       string    // UUIDv7, in lower case
	Time     time.Time // kept in microseconds
	Root     string    // absolute path of the workspace root
	Key      string    // SHA-256 of the blocks that were applied
	Label    string    // what a person knows it by
	Source   string    // the front end: "cli", "lsp" or "mcp"
	Files    []File    // every file that changed, each once
	Made     []string  // folders that it made, parents first; paths as those of files
	Pruned   []string  // folders that it removed, parents first
	Undoes   string    // id of the apply that it took back; "" for a reply
	Reverted bool      // it was taken back itself, and that was not taken back in turn
}

// A File is what an apply did to one file.
type File struct {
	Path           string // relative to the root, with / between names
	Before, After  Content
	Added, Removed int // lines of a line diff
}

// Content is a file at one moment: a regular one; a symbolic link
// ([fs.ModeSymlink]), whose Data is its target; or a folder ([fs.ModeDir]) without
// what is in it.
type Content struct {
	Exists bool
	Data   string // bytes as on disk, or the text of an open buffer
	Mode   fs.FileMode
}

// Open opens the history in the state folder dir, and makes both where they are
// missing, readable by the user alone.
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	s := &Store{path: filepath.Join(dir, fileName)}
	if err := s.open(dir); err != nil {
		return nil, s.wrap(err)
	}
	return s, nil
}

// Close releases the file. Nothing is lost without it.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return s.wrap(err)
	}
	return nil
}

func (s *Store) open(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := lock(filepath.Join(dir, lockName))
	if err != nil {
		return err
	}
	defer unlock()
	if err := create(s.path); err != nil {
		return err
	}
	if s.db, err = sql.Open("sqlite", dsn(s.path)); err != nil {
		return err
	}
	if err := migrate(context.Background(), s.db); err != nil {
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// lock lets one process at a time make and migrate the file: SQLite's own locks
// do not cover the switch to WAL, where a second process would be told "database
// is locked" at once.
func lock(path string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l := flock.New(path, flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 2*time.Millisecond); err != nil {
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return func() { l.Unlock() }, nil
}

// create makes an empty file that only the user can read; SQLite gives the files
// that it puts beside it the same mode. A file that exists is not even opened:
// closing it again would drop the locks that SQLite holds on it in this process
// (https://sqlite.org/howtocorrupt.html §2.2).
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

// dsn names the file to SQLite, with what holds for every connection. Writing
// transactions take the write lock at their start, as one that read before it
// writes may not wait for the lock.
func dsn(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // file:///C:/…
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {fmt.Sprint(patience.Milliseconds())},
		"_foreign_keys": {"1"},
		"_txlock":       {"immediate"},
		"_error_rc":     {"1"}, // no "out of memory" for a file that cannot be opened
	}.Encode()}
	return u.String()
}

func (s *Store) wrap(err error) error { return fmt.Errorf("history %s: %w", s.path, err) }
