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

// FileName is the name of the history's file in the state folder.
const FileName = "history.db"

// ErrNotFound means that the history has no apply with the id.
var ErrNotFound = errors.New("the history has no such change")

// A Store is an open history. Several goroutines may call its methods at the same time. Errors name the file. After an
// error, the caller can go on without a history.
type Store struct {
	// Aside is the path to which [Open] moved a damaged history before it made a new one, or "".
	Aside string

	db     *sql.DB
	path   string
	damage atomic.Pointer[error] // the damage that was found; the next Open moves the file aside
}

// An Apply is an applied reply, or a revert of an apply.
type Apply struct {
	ID   string    // a UUIDv7 in lower case
	Time time.Time // stored in microseconds
	Root string    // the absolute path of the workspace's root
	Key  string    // the SHA-256 hash of the blocks that were applied
	// The keys of the blocks, if there are several, and the key of the whole reply. [Store.LastOf] sets only the keys
	// that its caller gave.
	Blocks   []string
	Label    string   // a description for people
	Source   string   // the front end: "cli", "lsp", "mcp" or, for an agent in an editor, "agent"
	Files    []File   // the changed files, each only once
	Made     []string // the folders that the apply created, parents first; their paths have the same form as Path of a File
	Pruned   []string // the folders that the apply removed, parents first
	Undoes   string   // for a revert: the id of the apply that it reverted; otherwise ""
	Part     bool     // for a revert: whether it reverted only a part of that apply
	Reverted bool     // whether a revert that is in force reverted this apply
	// Whether a revert that is in force reverted a part of this apply; set only if the apply is read.
	Partly  bool
	Batches []Batch // the line patches to record; they are read with [Store.Batches]
}

// A File is the change that an apply made to one file.
type File struct {
	Path           string // relative to the root, with / as the separator on every system
	Before, After  text.Content
	Sums           *text.Sums // the hashes of Before and After, for recording; nil if they are not known yet
	Added, Removed int        // how many lines a diff adds and removes
	// NotKept is true if the history does not keep the contents of the file, because git ignores it and it may contain
	// secrets.
	NotKept bool
	// Agreed is true if the file was protected, and a person agreed to change it.
	Agreed bool

	left leftFile // the state after the apply, as recorded
}

// Open opens the history in the state folder `dir`. If the folder or the file is missing, it is created so that only
// the user can read it. A damaged file is moved aside (see [Store.Aside]).
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

// Close closes the file. No data is lost if Close is never called.
func (s *Store) Close() error {
	return s.wrap(s.db.Close())
}

// during adds the failed step and the name of the file to an error. It returns nil if there is no error.
func (s *Store) during(what string, err error) error {
	if err == nil {
		return nil
	}
	return s.wrap(fmt.Errorf("%s: %w", what, err))
}

// wrap adds the name of the file to an error. It returns nil if there is no error. If the error shows damage, the next
// [Open] moves the file aside. This process cannot move it now, because other processes may be reading it.
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

// mark records that the file is damaged. It does so only once, because a new file may soon replace the damaged one. On
// Windows it also closes the history, because an open file cannot be renamed.
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

// NewID returns a UUIDv7. Ids are sorted by the time at which they were made, to the millisecond. Within a process,
// each id is greater than the one before. NewID panics if the system has no random numbers.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
