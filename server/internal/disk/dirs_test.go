package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

func TestMissingDirs(t *testing.T) {
	dir := t.TempDir()
	root, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.MkdirAll(filepath.Join(dir, "old"), 0o755); err != nil {
		t.Fatal(err)
	}
	missing := root.MissingDirs([]string{"a.txt", "old/new/b.txt", "old/new/deep/c.txt", "x/d.txt"})
	if want := []string{"old/new", "old/new/deep", "x"}; !slices.Equal(missing, want) {
		t.Fatalf("missing are %q; want %q", missing, want)
	}
	_, err = root.Commit(context.Background(), t.TempDir(), Transaction{Make: missing})
	must(t, err)
	if err := os.WriteFile(filepath.Join(dir, "x", "d.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	root.RemoveDirs(missing)
	for name, stays := range map[string]bool{"old": true, "old/new": false, "x": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCommitOfDirectoriesAlone(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"old/deep/": "", "stays/": ""})
	must(t, os.Chmod(filepath.Join(dir, "old/deep"), 0o700))
	before := picture(t, dir)
	tx := Transaction{Make: []string{"new/deep", "stays"}, Remove: []string{"old", "old/deep"}}
	r := open(t, dir)
	for n := 1; ; n++ {
		r.probe = beforeEach(failAt(n).step)
		got, err := r.Commit(context.Background(), state, tx)
		if errors.Is(err, errInjected) {
			same(t, "failed", picture(t, dir), before)
			continue
		}
		must(t, err)
		if !slices.Equal(got.Made, []string{"new", "new/deep"}) || !slices.Equal(got.Removed, []string{"old", "old/deep"}) {
			t.Errorf("folders %+v", got)
		}
		break
	}
	r.probe = nil
	now := picture(t, dir)
	delete(now, ".")
	same(t, "made", now, map[string]string{"new": "drwxr-xr-x", "new/deep": "drwxr-xr-x", "stays": "drwxr-xr-x"})
}

func TestCommitRefusesChangedDirectories(t *testing.T) {
	for name, c := range map[string]struct {
		tx   Transaction
		want Changed // if it is zero, another error is expected
	}{
		"not empty":     {Transaction{Remove: []string{"d"}}, Changed{"d", "its contents have changed"}},
		"gone":          {Transaction{Remove: []string{"none"}}, Changed{"none", "it is gone"}},
		"a file":        {Transaction{Remove: []string{"f"}}, Changed{"f", "f is a file now"}},
		"a link":        {Transaction{Remove: []string{"l"}}, Changed{"l", "l is a symbolic link now"}},
		"made on file":  {Transaction{Make: []string{"f/x"}}, Changed{"f/x", "f is a file now"}},
		"made on link":  {Transaction{Make: []string{"l/x"}}, Changed{"l/x", "l is a symbolic link now"}},
		"below a link":  {Transaction{Remove: []string{"l/e"}}, Changed{"l/e", "l is a symbolic link now"}},
		"both":          {Transaction{Make: []string{"d/e/x"}, Remove: []string{"d/e"}}, Changed{}},
		"upwards":       {Transaction{Make: []string{"../x"}}, Changed{}},
		"the root":      {Transaction{Remove: []string{"."}}, Changed{}},
		"file into it":  {Transaction{Ops: []Op{{"d/e/x", nil, regular("x")}}, Remove: []string{"d/e"}}, Changed{}},
		"one left over": {Transaction{Ops: []Op{{"d/x", regular("x"), nil}}, Remove: []string{"d"}}, Changed{"d", "its contents have changed"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, map[string]string{"d/x": "x", "d/e/": "", "f": "f"})
			link(t, dir, map[string]string{"l": "d"})
			before := picture(t, dir)
			_, err := open(t, dir).Commit(context.Background(), state, c.tx)
			changed, ok := errors.AsType[*ChangedError](err)
			if err == nil || ok != (c.want != Changed{}) || ok && changed.Files[0] != c.want {
				t.Errorf("commit: %v; want %v", err, c.want)
			}
			same(t, "refused", picture(t, dir), before)
		})
	}
}
