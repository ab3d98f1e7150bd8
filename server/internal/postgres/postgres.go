// Package postgres is PostgreSQL for [database/sql], by pgconn alone. pgx's own driver
// knows every type that there is, which is 3 MB of the program. A file set has integers,
// texts and bytes: a value of any other type is an error.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Open is a pool that connects when a connection is needed. A statement that the server
// refuses is a [*pgconn.PgError].
func Open(config *pgconn.Config) *sql.DB { return sql.OpenDB(connector{config}) }

type connector struct{ config *pgconn.Config }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	pg, err := pgconn.ConnectConfig(ctx, c.config.Copy())
	if err != nil {
		return nil, err
	}
	return &conn{pg: pg, used: time.Now()}, nil
}

func (c connector) Driver() driver.Driver { return c }

func (c connector) Open(string) (driver.Conn, error) { return nil, errUnused }

// errUnused is for what [database/sql] wants to be there, and calls of no other connection.
var errUnused = errors.New("not for PostgreSQL: use the method with a context")

type conn struct {
	pg   *pgconn.PgConn
	used time.Time // when the pool last handed it out
}

func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errUnused }

func (c *conn) Begin() (driver.Tx, error) { return nil, errUnused }

// ResetSession refuses a connection that the pool must not hand out again: one in a
// transaction, or that the server closed while it was idle.
func (c *conn) ResetSession(ctx context.Context) error {
	const idle = 'I'
	if c.pg.IsClosed() || c.pg.TxStatus() != idle {
		return driver.ErrBadConn
	}
	if time.Since(c.used) > time.Second && c.pg.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	c.used = time.Now()
	return nil
}

func (c *conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return c.pg.Close(ctx)
}

func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if options != (driver.TxOptions{}) {
		return nil, errors.New("a transaction has no options")
	}
	t := tx{c, ctx}
	return t, retryable(t.command("BEGIN"))
}

type tx struct {
	conn *conn
	ctx  context.Context
}

func (t tx) Commit() error   { return t.command("COMMIT") }
func (t tx) Rollback() error { return t.command("ROLLBACK") }

// command wants to hear that it was done: after an error, the server answers COMMIT with
// ROLLBACK, which is no error of its own.
func (t tx) command(command string) error {
	tag, err := t.conn.send(t.ctx, command, nil, nil).Close()
	if err == nil && tag.String() != command {
		return fmt.Errorf("the database answered %s with %q", command, tag)
	}
	return err
}

func (c *conn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	tag, err := c.send(ctx, statement, values, formats).Close()
	return driver.RowsAffected(tag.RowsAffected()), retryable(err)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	r := c.send(ctx, query, values, formats)
	if r.FieldDescriptions() == nil {
		if _, err := r.Close(); err != nil {
			return nil, retryable(err)
		}
		return nil, errShape
	}
	return rows{r}, nil
}

func (c *conn) send(ctx context.Context, statement string, values [][]byte, formats []int16) *pgconn.ResultReader {
	return c.pg.ExecParams(ctx, statement, values, nil, formats, []int16{binaryFormat})
}

// retryable has [database/sql] take another connection where this one failed before the
// server can have heard of the statement.
func retryable(err error) error {
	if err != nil && pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}
