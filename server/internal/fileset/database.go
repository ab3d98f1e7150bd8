package fileset

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
)

// table is the schema. The databases differ in the names of two types: text that is sorted by its bytes, and bytes. All
// versions of the program share the table, so a later version may only add columns with a default.
const table = `CREATE TABLE IF NOT EXISTS aptix_file (
	doc_path   %s PRIMARY KEY,
	revision   BIGINT NOT NULL, -- 1 more with every upload, a deletion included
	sha256     TEXT NOT NULL,   -- of content, in hex; '' where the file is deleted
	content    %s NOT NULL,     -- raw bytes
	updated_at BIGINT NOT NULL, -- microseconds since 1970 UTC
	updated_by TEXT NOT NULL
)`

// connectTimeout limits the time for trying one address, unless the URL has a connect_timeout.
const connectTimeout = 5 * time.Second

// maxMessage limits the size of one message from a server, in bytes. It is enough for a row with the largest file that
// can be planned.
const maxMessage = 257 << 20

// attempts limits how often a transaction is tried if other clients write at the same time.
const attempts = 8

// errMoved means that another client wrote a new revision after this client had read the old one.
var errMoved = errors.New("others wrote to the same files at the same time")

func openSQLite(ctx context.Context, path string) (*Set, error) {
	if strings.Contains(path, "://") || !filepath.IsAbs(path) {
		// `path` may contain a password, so the message does not show it.
		return nil, errors.New("a file set is a URL that begins with postgres://, or the absolute path of a SQLite file; this is neither")
	}
	s := &Set{name: "file set " + path, patience: patience}
	var err error
	if s.db, err = sqlitefile.Open(ctx, path, makeSQLiteTable); err != nil {
		return nil, s.wrap(err)
	}
	return s, nil
}

func makeSQLiteTable(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf(table, "TEXT", "BLOB"))
	return err
}

// postgresURL returns the URL with its scheme in lower case. It returns false if `where` is not the URL of a PostgreSQL
// database.
func postgresURL(where string) (url string, ok bool) {
	scheme, rest, ok := strings.Cut(where, "://")
	scheme = strings.ToLower(scheme)
	return scheme + "://" + rest, ok && (scheme == "postgres" || scheme == "postgresql")
}

func openPostgres(ctx context.Context, url string) (*Set, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil || ambiguous(url) {
		// The message must not include `err`, which quotes the URL: pgx removes only the part that it guesses to be the
		// password.
		return nil, errors.New("the URL of the file set cannot be read, expected postgres://USER:PASSWORD@HOST:PORT/DATABASE; in USER and PASSWORD, write every character other than a letter or digit as %XX, its hexadecimal code")
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectTimeout)
	// Prepared statements would fail if a pooler between client and server switches to another server.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	keepPassword(&config.Config)
	config.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) {} // otherwise pgx keeps all of them in memory
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(&statusReader{Reader: r}, w)
		f.SetMaxBodyLen(maxMessage)
		return f
	}
	s := &Set{name: fmt.Sprintf("file set (database %q on %s)", config.Database, config.Host), shared: true, patience: patience}
	s.db = stdlib.OpenDB(*config)
	s.db.SetMaxOpenConns(4) // a server has only few connections for all its users
	s.db.SetConnMaxIdleTime(time.Minute)
	if err := s.makePostgresTable(ctx); err != nil {
		return nil, s.wrap(errors.Join(err, s.db.Close()))
	}
	return s, nil
}

// keepPassword prevents the client from sending the password in clear text over a network without encryption. If the
// URL lists the permitted methods (require_auth), keepPassword changes nothing.
func keepPassword(config *pgconn.Config) {
	ways := append(slices.Clone(config.Fallbacks), &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig})
	inClear := slices.ContainsFunc(ways, func(way *pgconn.FallbackConfig) bool { return way.TLSConfig == nil && !isLocal(way.Host, way.Port) })
	if inClear && config.RequireAuth == "" {
		config.RequireAuth = "!password"
	}
}

// isLocal reports whether the name of a host shows that the host is this machine.
func isLocal(host string, port uint16) bool {
	network, _ := pgconn.NetworkAddress(host, port)
	ip := net.ParseIP(host)
	return network == "unix" || strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ambiguous reports whether a part of the password in a URL could be mistaken for the name of the host or of the
// database, because the password is not escaped. Messages would show this part.
func ambiguous(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	return strings.Count(rest, "@") > 1 || strings.Contains(rest[end:], "@")
}

// makePostgresTable creates the table unless it exists. It first looks for the table, because a user without the right
// to create tables may still use an existing one.
func (s *Set) makePostgresTable(ctx context.Context) error {
	const undefinedTable = "42P01"
	_, err := s.db.ExecContext(ctx, "SELECT FROM aptix_file LIMIT 0")
	if refused := new(pgconn.PgError); !errors.As(err, &refused) || refused.Code != undefinedTable {
		return err
	}
	return s.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(table, `TEXT COLLATE "C"`, "BYTEA"))
		return err
	})
}

// bounded returns a context that ends with `ctx`, or after s.patience, which is the longest time of a call.
func (s *Set) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.patience)
}

func (s *Set) transact(ctx context.Context, f func(*sql.Tx) error) error {
	return again(ctx, func() error { return s.try(ctx, f) })
}

func again(ctx context.Context, f func() error) error {
	for n := 1; ; n++ {
		if err := f(); !passing(err) || n == attempts || !wait(ctx, n) {
			return err
		}
	}
}

func (s *Set) try(ctx context.Context, f func(*sql.Tx) error) (err error) {
	defer answered(&err)
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// answered turns a panic of the driver into an error. A hostile server may send a row without the columns that it
// announced, and pgx then panics.
func answered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the answer of the database cannot be read: %v", r)
	}
}

// passing reports whether a transaction failed, and was rolled back, only because other clients used the database at
// the same time.
func passing(err error) bool {
	if refused := new(pgconn.PgError); errors.As(err, &refused) {
		switch refused.Code {
		case "40001", "40P01": // serialization_failure and deadlock_detected
			return true
		// If two clients create the table at the same time, one of them fails with one of these three errors.
		case "23505", "42710", "42P07":
			return true
		}
	}
	if refused := new(sqlite.Error); errors.As(err, &refused) {
		return refused.Code()&0xff == sqlite3.SQLITE_BUSY
	}
	return errors.Is(err, errMoved)
}

// wait waits for a random time, so that clients do not interfere again. It returns false if `ctx` ended.
func wait(ctx context.Context, attempt int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(rand.N(5 * time.Millisecond << attempt)):
		return true
	}
}
