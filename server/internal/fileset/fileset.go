// Package fileset implements the file set (rules R29 and R32): the latest contents of files by docPath, either in a
// SQLite file of one machine or in a PostgreSQL database that people share. Both databases have the same table and use
// the same statements.
//
// An upload replaces only the revision on which it is based, so that no other upload is lost. A call writes everything
// or nothing. The revisions of a docPath only grow, even if its file is deleted and created again. A docPath is an
// opaque key (rule R28).
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

// Env is the environment variable that names the set if no setting does.
const Env = "APTIX_FILE_SET"

// patience is the longest time that a call waits for the database, including the time to connect.
const patience = 10 * time.Second

// ErrNotFound means that the set has no file with the requested docPath.
var ErrNotFound = errors.New("not in the file set")

// A Set is an open file set. Any number of processes may call its methods at the same time. If the database needs more
// than 10 seconds, a method returns an error. Errors name the database without its password.
type Set struct {
	db       *sql.DB
	name     string // the name of the database in messages
	shared   bool
	patience time.Duration
}

// An Entry describes a file of the set. docs/cli.md documents its JSON.
type Entry struct {
	DocPath   string    `json:"docPath"`
	Revision  int64     `json:"revision"` // counts from 1 and grows with every upload; 0 if the set never had the file
	SHA256    string    `json:"sha256"`   // hash of the raw bytes, as 64 digits in lower case; "" if the file was deleted
	Size      int64     `json:"size"`
	UpdatedAt time.Time `json:"time"`   // the time of the upload by the uploader's clock, in UTC and microseconds
	UpdatedBy string    `json:"source"` // the front end that uploaded the file, as in the history
}

// Holds reports whether the set has the file. It returns false if the file was deleted or never uploaded.
func (e Entry) Holds() bool { return e.SHA256 != "" }

// A File is a file of the set with its raw bytes.
type File struct {
	Entry
	Content string
}

// Where returns the location of the set: the setting aptix.fileSet, or else the environment variable [Env], or else a
// SQLite file in the user's state folder. Content leaves the machine only if a person decides so.
func Where(setting, stateDir string) string {
	if setting != "" {
		return setting
	}
	if env := os.Getenv(Env); env != "" {
		return env
	}
	return filepath.Join(stateDir, "fileset.db")
}

// Open opens the set at a location: a URL that begins with postgres:// or postgresql://, or the absolute path of a
// SQLite file. If the file, its folder or the table is missing, Open creates it.
func Open(ctx context.Context, where string) (*Set, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if url, ok := postgresURL(where); ok {
		return openPostgres(ctx, url)
	}
	return openSQLite(ctx, where)
}

// Shared reports whether other machines can reach the set, because it is in PostgreSQL.
func (s *Set) Shared() bool { return s.shared }

// String names the database, without the password.
func (s *Set) String() string { return s.name }

// Close closes the connections. No data is lost if Close is never called.
func (s *Set) Close() error {
	return s.wrap(s.db.Close())
}

func (s *Set) wrap(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer in time: %w", s.name, err)
	}
	return fmt.Errorf("%s: %w", s.name, shortError{err})
}

// A shortError is an error whose text is cut off after [maxSaid] bytes, because a server may have written the text.
type shortError struct{ error }

const maxSaid = 1_000 // in bytes

func (e shortError) Error() string {
	s := e.error.Error()
	if len(s) > maxSaid {
		s = strings.ToValidUTF8(s[:maxSaid], "") + "…"
	}
	return s
}

func (e shortError) Unwrap() error { return e.error }
