package fileset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

func TestMain(m *testing.M) {
	if where := os.Getenv(childWhere); where != "" {
		if err := child(where); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// eachDatabase runs a test with an empty set in each kind of database. where is the location
// at which the test can open it again.
func eachDatabase(t *testing.T, test func(t *testing.T, where string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "state", "fileset.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, postgrestest.URL(t)) })
}

func open(t testing.TB, where string) *Set {
	t.Helper()
	s, err := Open(context.Background(), where)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put uploads one file.
func put(t testing.TB, s *Set, docPath string, base Base, content string) Entry {
	t.Helper()
	stored, err := s.Put(context.Background(), "cli", []Upload{{DocPath: docPath, Base: base, Content: content}})
	must(t, err)
	return stored[0]
}

func get(t testing.TB, s *Set, docPath string) File {
	t.Helper()
	f, err := s.Get(context.Background(), docPath)
	must(t, err)
	return f
}
