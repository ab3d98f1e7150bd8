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

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// errForeign means that the file contains something with which another program could make a statement run for ever.
var errForeign = errors.New("the database has a view, a trigger, a virtual table or a generated column, so another program wrote it")

// checkStored returns [errForeign] unless the file has only indexes, and tables that store all of their columns. The
// `migrate` functions create only these. A view, for example, could have the name of a table, and a query of it could
// run for ever.
func checkStored(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, `SELECT name, sql, type IN ('table', 'index') AND ifnull(rootpage, 0) > 0 FROM sqlite_master`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var suspects []string
	for rows.Next() {
		var name string
		var made sql.NullString
		var stored bool
		if err := rows.Scan(&name, &made, &stored); err != nil {
			return err
		}
		if !stored {
			return errForeign
		}
		if computed.MatchString(made.String) {
			suspects = append(suspects, name)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, name := range suspects {
		var foreign bool
		if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden != 0)", name).Scan(&foreign); err != nil {
			return err
		}
		if foreign {
			return errForeign
		}
	}
	return nil
}

// computed matches the definition of every table with a computed column, and of some other tables. Only the columns of
// these tables are checked, because checking all tables would double the time to open the file.
var computed = lazyregexp.New(`(?i)\bas\b`)

// errNotOurs means that a row has values that the file's tables do not allow.
var errNotOurs = errors.New("another program changed the database")

// NotOurs adds to the error of reading a row that another program wrote it.
func NotOurs(err error) error { return fmt.Errorf("%w: %w", errNotOurs, err) }

// otherTables matches the error of a statement for tables that the file does not have, or already has. Later programs
// only add to the tables, so another program changed them.
var otherTables = lazyregexp.New(`no such (?:table|column|index)|has no column named|already exists|duplicate column name`)

// Damaged reports whether an error means that the file is damaged, is not a database, or was not written by Aptix.
func Damaged(err error) bool {
	if errors.Is(err, errForeign) || errors.Is(err, errNotOurs) {
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_ERROR:
		return otherTables.MatchString(e.Error())
	}
	return false
}

// OpenOrReplace opens a file like [Open], for data that a program does not need. If the file was marked by
// [MarkDamaged], or if `migrate` finds damage, OpenOrReplace renames the file to `aside` and creates a new one.
// Otherwise `aside` is "".
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

// MarkDamaged makes the next [OpenOrReplace] replace the file at `path`.
func MarkDamaged(path string) error { return os.WriteFile(mark(path), nil, 0o600) }

func mark(path string) string { return path + "-damaged" }

// setAside renames a damaged database file. It renames the file's log first, because SQLite would otherwise write this
// log into the new file.
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

// closing limits the wait for other programs to close a damaged file. They look for damage every second.
const closing = 2 * time.Second

// renameClosed renames a file. Windows cannot rename an open file, so there it tries again until the time [closing] has
// passed.
func renameClosed(from, to string) error {
	err := os.Rename(from, to)
	for end := time.Now().Add(closing); runtime.GOOS == "windows" && err != nil && !errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}
