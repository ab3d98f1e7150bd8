// Package postgrestest runs real PostgreSQL servers for tests.
package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A Cluster is a PostgreSQL server that belongs to one test. It listens only on a socket in its
// folder, and on no port.
type Cluster struct {
	Dir string // the folder of the server, with the server's files in the subfolder data
	// Stop ends the server at once, as a crash would, and removes its files. It may be called
	// several times.
	Stop func()
}

// one is the server that all tests of a process share, except tests that break their server.
var one struct {
	start   sync.Once
	cluster Cluster
	err     error
	sets    atomic.Int64
}

var errNone = errors.New("PostgreSQL is not installed (Debian's package postgresql; initdb is neither on the PATH nor in /usr/lib/postgresql/*/bin), so that nothing is known of shared file sets")

// URL returns the URL of an empty schema in a server that the tests of this process share.
// Creating a schema takes less time than creating a database.
func URL(t testing.TB) string {
	t.Helper()
	one.start.Do(func() { one.cluster, one.err = start() })
	needs(t, one.err)
	name := fmt.Sprintf("set%d", one.sets.Add(1))
	Execute(t, one.cluster.URL("postgres"), "CREATE SCHEMA "+name)
	return one.cluster.URL("postgres") + "&search_path=" + name
}

// Start starts a server that a test may break. The server ends with the test.
func Start(t testing.TB) Cluster {
	t.Helper()
	c, err := start()
	needs(t, err)
	t.Cleanup(c.Stop)
	return c
}

// needs skips a test if PostgreSQL is missing. In CI and in `make test` it fails the test instead,
// because a skipped test would look like a test that passed.
func needs(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNone) && os.Getenv("CI") == "" && os.Getenv("APTIX_POSTGRES") != "required" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// URL returns the URL of a database, with the rights of its owner.
func (c Cluster) URL(database string) string {
	return "postgres:///" + database + "?" + url.Values{"host": {c.Dir}, "user": {"aptix"}, "sslmode": {"disable"}}.Encode()
}

// Execute runs statements, each in its own transaction.
func Execute(t testing.TB, url string, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// start makes a cluster and waits until it answers. The folder does not come from [testing.T],
// because PostgreSQL refuses to run as root, and other users cannot read the folders of
// [testing.T].
func start() (c Cluster, err error) {
	initdb, err := program("initdb")
	if err != nil {
		return Cluster{}, err
	}
	if c.Dir, err = os.MkdirTemp("", "aptix-pg-"); err != nil {
		return Cluster{}, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(c.Dir)
		}
	}()
	if err := giveAway(c.Dir); err != nil {
		return c, err
	}
	data := filepath.Join(c.Dir, "data")
	if out, err := unprivileged(exec.Command(initdb, "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username=aptix", data)).CombinedOutput(); err != nil {
		return c, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return c, c.serve(filepath.Join(filepath.Dir(initdb), "postgres"), data)
}

// keeper is a script that starts a server. When the input of the script ends, the script ends the
// server and removes the folder. Therefore nothing is left behind, however the tests end.
const keeper = `dir=$1; shift; "$@" </dev/null & cat >/dev/null; kill -QUIT $!; wait; rm -rf "$dir"`

func (c *Cluster) serve(postgres, data string) error {
	cmd := unprivileged(exec.Command("sh", "-c", keeper, "sh", c.Dir, postgres, "-D", data, "-k", c.Dir, "-h", "", "-F"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.Stop = sync.OnceFunc(func() {
		stdin.Close()
		io.Copy(io.Discard, log)
		cmd.Wait()
	})
	said, err := untilReady(log)
	if err != nil {
		c.Stop()
		return fmt.Errorf("PostgreSQL did not start: %w\n%s", err, said)
	}
	go io.Copy(io.Discard, log)
	return nil
}

// untilReady reads the log up to the line that reports that the server is ready. It returns the
// text that it has read.
func untilReady(log io.Reader) (said string, err error) {
	buf := make([]byte, 4096)
	for !strings.Contains(said, "ready to accept connections") {
		n, err := log.Read(buf)
		if err != nil {
			return said, err
		}
		said += string(buf[:n])
	}
	return said, nil
}

// program finds a program of PostgreSQL on the PATH, or in Debian's folder for the newest version.
func program(name string) (string, error) {
	if found, err := exec.LookPath(name); err == nil {
		return filepath.EvalSymlinks(found)
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", errNone
	}
	return found[len(found)-1], nil
}
