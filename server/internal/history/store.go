// Package history is the history of applies: what each did to which files, in one
// SQLite file in the user's state folder. Windows, command lines and agents use
// it at the same time, each through its own process.
//
// Invariants: an apply is recorded whole or not at all; the schema only grows,
// so that an older program can go on with a newer one's file (see schema.go);
// contents are those of the files that an apply touched, and leave the machine
// by no way.
package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const fileName = "history.db"

// ErrNotFound is an id that no recorded apply has.
var ErrNotFound = errors.New("no such apply in the history")

// A Store is an open history. Its methods may be called at the same time. Their
// errors name the file; a caller can go on without history.
type Store struct {
	// Aside is where [Open] moved a damaged history, in whose place this new one is; ""
	// in general.
	Aside string

	db     *sql.DB
	path   string
	damage atomic.Pointer[error] // what it was found to be: the next Open sets the file aside
}

// An Apply is one reply that was applied, or one apply that was taken back.
type Apply struct {
	ID       string    // UUIDv7, in lower case
	Time     time.Time // kept in microseconds
	Root     string    // absolute path of the workspace root
	Key      string    // SHA-256 of the blocks that were applied
	Label    string    // what a person knows it by
	Source   string    // the front end: "cli", "lsp", "mcp" or, for an agent in an editor, "agent"
	Files    []File    // every file that changed, each once
	Made     []string  // folders that it made, parents first; paths as those of files
	Pruned   []string  // folders that it removed, parents first
	Undoes   string    // id of the apply that it took back; "" for a reply
	Reverted bool      // it was taken back itself, and that was not taken back in turn
	Batches  []Batch   // its line patches, to be recorded; [Store.Batches] reads them
}

// A File is what an apply did to one file.
type File struct {
	Path           string // relative to the root, with / between names
	Before, After  text.Content
	Sums           *text.Sums // of Before and After, to be recorded; nil where they are not known yet
	Added, Removed int        // lines of a line diff
	// The history has no contents of the file: git ignores it, and such files hold secrets.
	NotKept bool

	left leftFile // as it was recorded
}

// Open opens the history in the state folder dir, and makes both where they are
// missing, readable by the user alone. A damaged one is set aside: see [Store.Aside].
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	s := &Store{path: filepath.Join(dir, fileName)}
	if s.db, s.Aside, err = sqlitefile.OpenOrReplace(context.Background(), s.path, migrateAndProbe); err != nil {
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

// wrap names the file in an error, and has one that is found damaged set aside by the next
// [Open]: this process cannot rename it while others may be reading it.
func (s *Store) wrap(err error) error {
	if sqlitefile.Damaged(err) {
		if failed := s.mark(err); failed != nil {
			return fmt.Errorf("history %s: %w; move the file away (%w)", s.path, err, failed)
		}
	}
	damage := s.damage.Load()
	if damage == nil {
		return fmt.Errorf("history %s: %w", s.path, err)
	}
	if !sqlitefile.Damaged(err) {
		err = fmt.Errorf("%w: %w", err, *damage)
	}
	return fmt.Errorf("history %s: %w; the next start of aptix sets the file aside and begins a new one", s.path, err)
}

// mark marks the file once: the next time, a new one may be in its place. Windows renames no
// file that is open, so that there this process does without a history from now on.
func (s *Store) mark(damage error) error {
	if s.damage.Load() != nil {
		return nil
	}
	if err := sqlitefile.MarkDamaged(s.path); err != nil {
		return err
	}
	s.damage.Store(&damage)
	if runtime.GOOS == "windows" && s.db != nil {
		return s.db.Close()
	}
	return nil
}
