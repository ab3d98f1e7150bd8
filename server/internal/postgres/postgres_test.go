package postgres

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/aptix-dev/aptix/server/internal/postgrestest"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	config, err := pgconn.ParseConfig(postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	db := Open(config)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func exec(t *testing.T, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, statement string, args ...any,
) (affected int64) {
	t.Helper()
	result, err := db.ExecContext(t.Context(), statement, args...)
	if err == nil {
		affected, err = result.RowsAffected()
	}
	if err != nil {
		t.Fatal(err)
	}
	return affected
}

// What is stored is read again, to the byte, in as many rows as there are.
func TestValues(t *testing.T) {
	type row struct {
		Text  string
		Big   int64
		Small int64
		Bytes []byte
	}
	db, all := open(t), []row{{"", 0, 0, []byte{}}, {"ä\x01🙂", -1 << 63, -1 << 31, []byte{0, 0xff, '\\', 'x'}}, {"z", 1<<63 - 1, 1<<31 - 1, []byte("\x00")}}
	exec(t, db, `CREATE TABLE v (t TEXT COLLATE "C", big BIGINT, small INT, bytes BYTEA)`)
	for _, r := range all {
		if n := exec(t, db, "INSERT INTO v VALUES ($1, $2, $3, $4)", r.Text, r.Big, r.Small, r.Bytes); n != 1 {
			t.Errorf("%d rows were inserted", n)
		}
	}
	found, err := db.QueryContext(t.Context(), "SELECT * FROM v ORDER BY t LIMIT $1", 10)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var got []row
	for found.Next() {
		var r row
		if err := found.Scan(&r.Text, &r.Big, &r.Small, &r.Bytes); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff([]row{all[0], all[2], all[1]}, got); diff != "" || found.Err() != nil {
		t.Error(diff, found.Err())
	}
	if n := exec(t, db, "DELETE FROM v"); n != 3 {
		t.Errorf("%d rows were deleted", n)
	}
}

// What cannot be read as it is meant is an error, and so is what the server refuses: before
// the first row or after it.
func TestErrors(t *testing.T) {
	db := open(t)
	for query, code := range map[string]string{
		"SELECT 1.5::numeric":                         "",
		"SELECT now()":                                "",
		"SELECT NULL::text":                           "",
		"CREATE TABLE no_rows (a INT)":                "",
		"SELECT none":                                 "42703",
		"SELECT 1/(2-n) FROM generate_series(1, 3) n": "22012",
	} {
		err := read(t.Context(), db, query)
		refused := new(pgconn.PgError)
		if errors.As(err, &refused); err == nil || refused.Code != code {
			t.Errorf("%s: %v", query, err)
		}
	}
	if _, err := db.ExecContext(t.Context(), "SELECT $1", true); err == nil {
		t.Error("a truth value was sent")
	}
	if err := read(t.Context(), db, "SELECT 'as before'"); err != nil {
		t.Error(err)
	}
}

func read(ctx context.Context, db *sql.DB, query string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(new(string)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// PostgreSQL takes COMMIT in a transaction that failed, and rolls it back.
func TestTransaction(t *testing.T) {
	db := open(t)
	db.SetMaxOpenConns(1) // the same connection serves what comes after
	exec(t, db, "CREATE TABLE v (n INT PRIMARY KEY)")
	for _, end := range []func(*sql.Tx) error{(*sql.Tx).Commit, (*sql.Tx).Rollback} {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		exec(t, tx, "INSERT INTO v VALUES (1)")
		if err := end(tx); err != nil {
			t.Fatal(err)
		}
		exec(t, db, "UPDATE v SET n = n + 1")
	}
	if err := read(t.Context(), db, "SELECT 1/(n - 2) FROM v"); err != nil { // 3 alone is there
		t.Error(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO v VALUES (3)"); err == nil {
		t.Error("a key is there twice")
	}
	if err := tx.Commit(); err == nil {
		t.Error("a transaction that failed was committed")
	}
	if _, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true}); err == nil {
		t.Error("an option was ignored")
	}
}

// A connection that ended, or was left in a transaction, is not handed out again.
func TestBrokenConnection(t *testing.T) {
	db, other := open(t), open(t)
	db.SetMaxOpenConns(1)
	exec(t, db, "CREATE TABLE v (n INT)")
	one, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec(t, one, "BEGIN")
	exec(t, one, "INSERT INTO v VALUES (1)")
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := read(t.Context(), db, "SELECT 1/(1 - count(*)) FROM v"); err != nil {
		t.Errorf("the transaction goes on: %v", err)
	}
	var pid int64
	if err := db.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	exec(t, other, "SELECT pg_terminate_backend($1, 10000)", pid)
	if err := read(t.Context(), db, "SELECT 1"); err != nil {
		// Within a second of its last use a connection is not tried first.
		if err = read(t.Context(), db, "SELECT 1"); err != nil {
			t.Error(err)
		}
	}
}
