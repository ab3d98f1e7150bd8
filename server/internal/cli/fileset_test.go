package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

// Each script has its own shared set in a real database.
func TestSharedScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "shared"),
		Setup: func(env *testscript.Env) error {
			setUp(env)
			env.Setenv(fileset.Env, postgrestest.URL(env.T().(testing.TB))+"&password=s3cr3t")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "newest": newest, "share": share},
	})
}

// share DOCPATH FILE puts a file into the shared set, as another program might.
func share(ts *testscript.TestScript, neg bool, args []string) {
	set, err := fileset.Open(context.Background(), ts.Getenv(fileset.Env))
	ts.Check(err)
	defer set.Close()
	_, err = set.Put(context.Background(), "somebody", []fileset.Upload{{DocPath: args[0], Content: ts.ReadFile(args[1])}})
	ts.Check(err)
}

// Another user uploads the file after an apply is checked and before it is uploaded. Their
// text remains in the set; ours remains on disk and in the history.
func TestConflictAtUpload(t *testing.T) {
	set := meanwhile.Share(t)
	said := applyWhile(t, set.URL, func() { set.Upload("demo/a.txt", "theirs\n") })
	for _, want := range []string{`"demo/a.txt" was made from SHA-256 `, "the file set has revision 1 ", "by " + meanwhile.Other} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	if held, err := set.Get(t.Context(), "demo/a.txt"); err != nil || held.Content != "theirs\n" || held.Revision != 1 {
		t.Errorf("the set has %+v, %v", held, err)
	}
}

// The database fails after an apply is checked and before it is uploaded.
func TestDatabaseDiesBeforeUpload(t *testing.T) {
	server := postgrestest.Start(t)
	said := applyWhile(t, server.URL("postgres")+"&password=s3cr3t", server.Stop)
	if !strings.Contains(said, `file set (database "postgres" on `) || strings.Contains(said, "s3cr3t") {
		t.Error(said)
	}
}

// applyWhile applies a reply, and calls `during` after the contents of the set were looked up, but before the disk is
// changed. The change is made and recorded. applyWhile returns the message about the upload.
func applyWhile(t *testing.T, url string, during func()) string {
	t.Helper()
	t.Setenv(fileset.Env, url+"&application_name="+t.Name())
	dir, state := filepath.Join(t.TempDir(), "demo"), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	write(t, filepath.Join(dir, "a.txt"), "old\n")
	write(t, filepath.Join(dir, "held.txt"), "held\n")
	free := meanwhile.Hold(t, dir, filepath.Join(state, "aptix"), "held.txt", "held\n", "2\n")
	code, said := make(chan int), new(bytes.Buffer)
	go func() {
		reply := `{"root": ".", "files": [{"path": "a.txt", "operation": "replace", "content": "mine\n"}]}`
		std := IO{In: strings.NewReader(reply), Out: new(bytes.Buffer), Err: said}
		code <- Run(context.Background(), []string{"apply", "--root", dir}, std, "test")
	}()
	awaitLook(t, url, t.Name())
	during()
	free()
	if got := <-code; got != exitDone || !strings.Contains(said.String(), "the change was made, but not uploaded; nothing in the file set was overwritten") {
		t.Errorf("exit %d: %s", got, said)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(got) != "mine\n" {
		t.Errorf("on disk is %q", got)
	}
	history := new(bytes.Buffer)
	Run(t.Context(), []string{"history", "--root", dir}, IO{Out: history, Err: history}, "test")
	if !strings.Contains(history.String(), "1 file +1 −1") {
		t.Errorf("the history is %q", history)
	}
	return said.String()
}

// awaitLook waits until a program has looked up the contents of the set.
func awaitLook(t *testing.T, url, program string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for looked := false; !looked; {
		const query = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = $1 AND state = 'idle' AND query LIKE 'SELECT doc_path%'), pg_sleep(0.005)::text`
		if err := conn.QueryRow(t.Context(), query, program).Scan(&looked, nil); err != nil {
			t.Fatal(err)
		}
	}
	// PostgreSQL calls a connection idle before it sends the result of the query.
	if _, err := conn.Exec(t.Context(), `SELECT pg_sleep(0.2)`); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, file, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(data), 0o644)); err != nil {
		t.Fatal(err)
	}
}
