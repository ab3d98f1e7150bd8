// Package fileset is the file set (rules R29 and R32): the latest content of
// files by docPath, in a SQLite file of one machine, or in a PostgreSQL database
// that people share. Both have the same table and the same statements.
//
// Invariants: a revision is written only over the one that it was made from, so
// that no upload is lost; what one call writes is written whole or not at all;
// revisions of a docPath only grow, also when its file is deleted and made
// again. A docPath is an opaque key (rule R28).
package fileset

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Env is the environment variable that says where the set is, where no setting does.
const Env = "APTIX_FILE_SET"

// patience is how long a call waits for the database, its connecting included.
const patience = 10 * time.Second

// ErrNotFound is a docPath whose file the set does not hold.
var ErrNotFound = errors.New("not in the file set")

// A Set is an open file set. Its methods may be called at the same time, by any
// number of processes, and give up when the database does not answer for 10
// seconds. Their errors name the database without its password.
type Set struct {
	db       *sql.DB
	name     string // for people
	shared   bool
	patience time.Duration
}

// An Entry is what the set knows of a file.
type Entry struct {
	DocPath   string
	Revision  int64     // from 1, grows with every upload; 0 where the set never held the file
	SHA256    string    // of the raw bytes, 64 digits in lower case; "" for a file that was deleted
	Size      int64     // in bytes
	UpdatedAt time.Time // by the uploader's clock, in UTC and microseconds
	UpdatedBy string    // the front end that uploaded it, as in the history
}

// Holds is whether the set holds the file: it was uploaded, and not deleted since.
func (e Entry) Holds() bool { return e.SHA256 != "" }

// A File is a file of the set with its raw bytes.
type File struct {
	Entry
	Content string
}

// Where is where the set is: what the setting aptix.fileSet says, or the
// environment variable [Env], or a SQLite file in the user's state folder, so that
// nothing leaves the machine unless a person said so.
func Where(setting, stateDir string) string {
	if setting != "" {
		return setting
	}
	if env := os.Getenv(Env); env != "" {
		return env
	}
	return filepath.Join(stateDir, "fileset.db")
}

// Open opens the set that where names: a URL that begins with postgres:// or
// postgresql://, or the absolute path of a SQLite file. The file, its folder and
// the table are made where they are missing.
func Open(ctx context.Context, where string) (*Set, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if url, ok := postgresURL(where); ok {
		return openPostgres(ctx, url)
	}
	return openSQLite(ctx, where)
}

// Shared is whether other machines can reach the set: it is in PostgreSQL.
func (s *Set) Shared() bool { return s.shared }

// String names the database, without the password.
func (s *Set) String() string { return s.name }

// Close gives the connections back. Nothing is lost without it.
func (s *Set) Close() error {
	if err := s.db.Close(); err != nil {
		return s.wrap(err)
	}
	return nil
}

func (s *Set) wrap(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer in time: %w", s.name, err)
	}
	return fmt.Errorf("%s: %w", s.name, shortError{err})
}

// A shortError has the beginning of a text that a server may have written.
type shortError struct{ error }

const maxSaid = 1_000 // bytes

func (e shortError) Error() string {
	s := e.error.Error()
	if len(s) > maxSaid {
		s = strings.ToValidUTF8(s[:maxSaid], "") + "…"
	}
	return s
}

func (e shortError) Unwrap() error { return e.error }
