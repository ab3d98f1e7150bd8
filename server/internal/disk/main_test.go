package disk

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

// helperEnv makes the test binary commit a transaction and exit, so that a test can kill it
// or run it as another user.
const helperEnv = "APTIX_TEST_COMMIT"

// An order tells a helper process what to do.
type order struct {
	Dir, State string
	Tx         Transaction
	DieAt      int // the step, from 1, before which it is killed; 0 for never
}

func TestMain(m *testing.M) {
	if text := os.Getenv(helperEnv); text != "" {
		os.Exit(obey(text))
	}
	os.Exit(m.Run())
}

func obey(text string) int {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Println(err)
		return 2
	}
	r, err := Open(o.Dir)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	steps := &counter{at: o.DieAt, fail: DieNow}
	r.probe = beforeEach(steps.step)
	if _, err := r.Commit(context.Background(), o.State, o.Tx); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func open(t testing.TB, dir string) *Root {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// link creates symbolic links: targets by name.
func link(t testing.TB, dir string, targets map[string]string) {
	t.Helper()
	for name, target := range targets {
		symlink(t, target, filepath.Join(dir, filepath.FromSlash(name)))
	}
}

func symlink(t testing.TB, target, name string) {
	t.Helper()
	needs.Links(t)
	must(t, os.Symlink(target, name))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// picture describes everything in a tree: the mode of each name, the content of each file,
// and the target of each link.
func picture(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := portable(info.Mode()).String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(full)
			if err != nil {
				return err
			}
			text += " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(full)
			if err != nil {
				return err
			}
			text = "link to " + target // systems differ in the mode of a link
		}
		rel, err := filepath.Rel(dir, full)
		all[filepath.ToSlash(rel)] = text
		return err
	})
	must(t, err)
	return all
}

// portable returns the mode that the test expects of a new file on this system. Windows shows
// all files as open to everyone.
func portable(mode fs.FileMode) fs.FileMode {
	if runtime.GOOS == "windows" {
		return mode &^ 0o022
	}
	return mode
}

func same(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// noJournals checks that the state folder contains nothing but locks.
func noJournals(t testing.TB, state string) {
	t.Helper()
	files, err := os.ReadDir(journalDir(state))
	must(t, err)
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".lock" {
			t.Fatalf("%s is left in the state folder", f.Name())
		}
	}
}

func regular(data string) *File { return &File{Data: data} }

func linkTo(target string) *File { return &File{target, fs.ModeSymlink} }

func commit1(r *Root, state string, ops ...Op) error {
	_, err := r.Commit(context.Background(), state, Transaction{ID: "t", Ops: ops})
	return err
}
