package fileset

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

const secret = "s3cr3t-p4ssw0rd"

// If Open refuses a set, it says why in a sentence that does not contain the password.
func TestOpenRefuses(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "fileset.db")
	must(t, os.WriteFile(garbage, []byte(strings.Repeat("not a database", 1000)), 0o600))
	nobody, noSocket := url.QueryEscape(t.TempDir()), "no such file"
	if runtime.GOOS == "windows" {
		noSocket = "dial error"
	}
	for _, c := range []struct{ where, says string }{
		{"", "neither"},
		{"fileset.db", "neither"},
		{"mysql://u:" + secret + "@h/d", "neither"},
		{garbage, "not a database"},
		{"postgres://u:" + secret + "@h:port/d", "cannot be read"},
		{"postgres://u:/" + secret + "@h/d", "cannot be read"},
		{"postgres://u:x@" + secret + "@h/d", "cannot be read"},
		{"postgres://u:x@/" + secret + "@h/d", "cannot be read"},
		{"postgres://u:?" + secret + "@h/d", "cannot be read"},
		{"postgres://u:#" + secret + "@h/d", "cannot be read"},
		{"postgres://u:%zz" + secret + "@h/d", "cannot be read"},
		{"postgres://u:" + secret + "@h/d?sslmode=" + secret, "cannot be read"},
		{"PostgreSQL://u:" + secret + "@/d?host=" + nobody, `database "d"`},
		{"postgres://u:" + secret + "@/d?host=" + nobody, noSocket},
	} {
		s, err := Open(context.Background(), c.where)
		if err == nil {
			s.Close()
			t.Errorf("%s was opened", c.where)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v; it should say %q, and no password", c.where, err, c.says)
		}
	}
}

// If PostgreSQL denies access, our error says so.
func TestWrongPassword(t *testing.T) {
	c := postgrestest.Start(t)
	postgrestest.Execute(t, c.URL("postgres"), "CREATE ROLE guarded LOGIN PASSWORD 'right'")
	must(t, os.WriteFile(filepath.Join(c.Dir, "data", "pg_hba.conf"), []byte("local all guarded scram-sha-256\nlocal all all trust\n"), 0o600))
	postgrestest.Execute(t, c.URL("postgres"), "SELECT pg_reload_conf()", "CREATE DATABASE guarded OWNER guarded")
	as := func(password string) string {
		return "postgres://guarded:" + password + "@/guarded?sslmode=disable&host=" + url.QueryEscape(c.Dir)
	}
	_, err := Open(context.Background(), as(secret))
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "password authentication failed") {
		t.Errorf("got %v", err)
	}
	put(t, open(t, as("right")), "a", Base{}, "x")
	// This user may use the table but may not create it.
	postgrestest.Execute(t, c.URL("guarded"), "CREATE ROLE guest LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "GRANT SELECT, INSERT, UPDATE ON aptix_file TO guest")
	put(t, open(t, strings.Replace(as(""), "guarded:@", "guest@", 1)), "b", Base{}, "x")
}

// If a server dies during a call, the call returns an error. After a restart, writes that were not committed are gone.
func TestServerDies(t *testing.T) {
	c, ctx := postgrestest.Start(t), context.Background()
	s := open(t, c.URL("postgres"))
	put(t, s, "a", Base{}, "1")
	pid, err := os.ReadFile(filepath.Join(c.Dir, "data", "postmaster.pid"))
	must(t, err)
	n, err := strconv.Atoi(strings.Fields(string(pid))[0])
	must(t, err)
	server, err := os.FindProcess(n)
	must(t, err)
	dies := func(tx *sql.Tx) error {
		_, err := write(ctx, tx, "cli", []upload{{docPath: "a", sha256: text.SumHex("2"), content: "2", mayReplace: Entry.Holds}})
		return errors.Join(err, server.Kill(), ended(tx))
	}
	if err := s.transact(ctx, dies); err == nil {
		t.Error("a transaction whose server died was committed")
	}
	_, err = s.Put(ctx, "cli", []Upload{{DocPath: "a", Base: Base{Revision: 1}, Content: "3"}})
	if err == nil || !strings.Contains(err.Error(), `file set (database "postgres" on `+c.Dir) {
		t.Errorf("an upload to a dead server: %v", err)
	}
}

// ended waits until the server is gone.
func ended(tx *sql.Tx) error {
	for {
		if _, err := tx.Exec("SELECT pg_sleep(0.01)"); err != nil {
			return nil
		}
	}
}

// A server that accepts a connection but never answers does not block a call forever.
func TestServerIsSilent(t *testing.T) {
	dir, err := os.MkdirTemp("", "aptix-silent-") // the test's own folder may be too long for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	needs.Sockets(t)
	l, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	must(t, err)
	defer l.Close()
	_, err = Open(context.Background(), "postgres://u:"+secret+"@/d?connect_timeout=1&sslmode=disable&host="+url.QueryEscape(dir))
	if err == nil || !strings.Contains(err.Error(), "did not answer in time") || strings.Contains(err.Error(), secret) {
		t.Errorf("got %v", err)
	}
}

// A call does not wait forever for an idle client that has locked a file's row.
func TestRowIsHeld(t *testing.T) {
	ctx := context.Background()
	eachDatabase(t, func(t *testing.T, where string) {
		holder, s := open(t, where), open(t, where)
		first := put(t, s, "a", Base{}, "1")
		s.patience = 50 * time.Millisecond
		tx, err := holder.db.BeginTx(ctx, nil)
		must(t, err)
		_, err = write(ctx, tx, "cli", []upload{{docPath: "a", sha256: text.SumHex("2"), content: "2", mayReplace: Entry.Holds}})
		must(t, err)
		_, err = s.Put(ctx, "cli", []Upload{{DocPath: "a", Base: Base{Revision: 1}, Content: "3"}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want that it ended in time", err)
		}
		must(t, tx.Rollback())
		if got := get(t, holder, "a").Entry; got != first {
			t.Errorf("the set has %v, want %v", got, first)
		}
	})
}

func TestDamagedContent(t *testing.T) {
	eachDatabase(t, func(t *testing.T, where string) {
		s := open(t, where)
		put(t, s, "a", Base{}, "1")
		_, err := s.db.Exec("UPDATE aptix_file SET content = $1", []byte("2"))
		must(t, err)
		if _, err := s.Get(context.Background(), "a"); !errors.Is(err, errDamaged) {
			t.Errorf("got %v", err)
		}
	})
}

func TestWhere(t *testing.T) {
	state := t.TempDir()
	t.Setenv(Env, "")
	if got := Where("", state); got != filepath.Join(state, "fileset.db") {
		t.Errorf("by default it is %s", got)
	}
	t.Setenv(Env, "postgres://env/d")
	if got := Where("", state); got != "postgres://env/d" {
		t.Errorf("with the variable it is %s", got)
	}
	if got := Where("postgres://setting/d", state); got != "postgres://setting/d" {
		t.Errorf("with the setting it is %s", got)
	}
}
