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

	"github.com/google/uuid"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// FileName is the name of the history in its state folder.
const FileName = "history.db"

// ErrNotFound means that the history has no apply with the id.
var ErrNotFound = errors.New("the history has no such apply")

// A Store is an open history. Its methods may be called concurrently. Their errors name the
// file. Callers can continue without a history.
type Store struct {
	// Aside is the path to which [Open] moved a damaged history that this new one replaces.
	// It is "" if the history was sound.
	Aside string

	db     *sql.DB
	path   string
	damage atomic.Pointer[error] // the damage that was found; the next Open sets the file aside
}

// An Apply is an applied reply, or a revert of an apply.
type Apply struct {
	ID       string    // UUIDv7, in lower case
	Time     time.Time // kept in microseconds
	Root     string    // absolute path of the workspace root
	Key      string    // the SHA-256 hash of the blocks that were applied
	Blocks   []string  // keys of its blocks if there are several; [Store.LastOf] sets only those that it was asked for
	Label    string    // description for people
	Source   string    // the front end: "cli", "lsp", "mcp" or, for an agent in an editor, "agent"
	Files    []File    // every changed file, each once
	Made     []string  // folders that it created, parents first; paths as those of files
	Pruned   []string  // folders that it removed, parents first
	Undoes   string    // id of the apply that it took back; "" for a reply
	Part     bool      // the apply took back only a part of that other apply
	Reverted bool      // it was taken back, and that revert is in force
	Partly   bool      // a part of the apply was taken back, and the revert is in force; set only when an apply is read
	Batches  []Batch   // the line patches to record; use [Store.Batches] to read them
}

// A File is the change that an apply made to one file.
type File struct {
	Path           string // relative to the root, with / between names
	Before, After  text.Content
	Sums           *text.Sums // of Before and After, for recording; nil if they are not known yet
	Added, Removed int        // lines of a line diff
	// NotKept is true if the history holds no contents of the file, because git ignores it.
	// Such files may hold secrets.
	NotKept bool

	left leftFile // the recorded state after the apply
}

// Open opens the history in the state folder dir. If the folder or the file is missing, it
// creates them, readable only by the user. A damaged file is set aside: see [Store.Aside].
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	s := &Store{path: filepath.Join(dir, FileName)}
	if s.db, s.Aside, err = sqlitefile.OpenOrReplace(context.Background(), s.path, migrateAndProbe); err != nil {
		return nil, s.wrap(err)
	}
	return s, nil
}

// Close releases the file. No data is lost without it.
func (s *Store) Close() error {
	return s.wrap(s.db.Close())
}

// during adds the failed step and the file's name to an error, unless the error is nil.
func (s *Store) during(what string, err error) error {
	if err == nil {
		return nil
	}
	return s.wrap(fmt.Errorf("%s: %w", what, err))
}

// wrap adds the file's name to an error, if it is not nil. If the error shows damage, the next [Open]
// sets the file aside. This process cannot rename it now, because others may be reading it.
func (s *Store) wrap(err error) error {
	if err == nil {
		return nil
	}
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
	return fmt.Errorf("history %s: %w; the next start of aptix renames the file and creates a new one", s.path, err)
}

// mark marks the file as damaged. It does so only once, because a new file may soon be in place of the
// damaged one. Windows cannot rename an open file, so there this process closes the history.
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

// NewID returns a UUIDv7. IDs sort by their time of creation, to the millisecond, and grow
// from one call to the next within a process. It panics if the system has no randomness.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
