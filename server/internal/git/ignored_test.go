package git

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{
		".gitignore": "*.log\n/build/\n!keep.log\nvendor/\nnew\\\nline\n", "tracked.log": "", "src/.gitignore": "gen.go\n", "glob/x": "",
		"inner/.gitignore": "secret\n", "vendor/lib/a.c": "",
	})
	gittest.Run(t, dir, "add", "-f", "tracked.log")
	gittest.Run(t, filepath.Join(dir, "inner"), "init", "-q")
	gittest.Run(t, filepath.Join(dir, "vendor/lib"), "init", "-q")
	other := t.TempDir()
	gittest.Run(t, other, "init", "-q")
	gittest.Run(t, other, "commit", "-q", "--allow-empty", "-m", "x")
	gittest.Run(t, dir, "submodule", "--quiet", "add", other, "sub")
	gittest.Lay(t, dir, map[string]string{"sub/.gitignore": "*.tmp\n"})
	t.Setenv("GIT_DIR", filepath.Join(other, ".git")) // as in a hook of another repository

	ignored := []string{"a.log", "d/new.log", "build/x", "src/gen.go", "vendor/x", "vendor/lib/a.c", "inner/secret", "sub/x.tmp", "src/d\u00e9j\u00e0 vu.log", "two\nlines.log"}
	others := []string{"a.txt", "keep.log", "tracked.log", "src/other.go", "inner/a.go", "sub/a.log", "sub/d/e.c", "build", ":(glob)**", ":!x", "*.txt", "-z", "not/there/yet.c"}
	got, err := Ignored(context.Background(), dir, slices.Concat(others, ignored))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ignored)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, ignored) {
		t.Errorf("ignored %q\nwant    %q", names, ignored)
	}
	got, err = Ignored(context.Background(), filepath.Join(dir, "src"), []string{"gen.go", "a.log", "a.c"})
	if err != nil {
		t.Fatal(err)
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"a.log", "gen.go"}) {
		t.Errorf("from a folder below: %q", names)
	}
}

func TestIgnoredWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	gittest.Lay(t, dir, map[string]string{".gitignore": "*\n", "broken/.git": "gitdir: /nowhere"})
	if got, err := Ignored(context.Background(), dir, []string{"a"}); len(got) != 0 || err != nil {
		t.Errorf("Ignored = %v, %v", got, err)
	}
	if got, err := Ignored(context.Background(), dir, nil); len(got) != 0 || err != nil {
		t.Errorf("Ignored of nothing = %v, %v", got, err)
	}
	if got, err := Ignored(context.Background(), dir, []string{"a", "broken/b"}); len(got) != 0 || err == nil {
		t.Errorf("Ignored in a broken repository = %v, %v", got, err)
	}
	t.Setenv("PATH", t.TempDir())
	if got, err := Ignored(context.Background(), dir, []string{"a"}); len(got) != 0 || err != nil {
		t.Errorf("Ignored without git = %v, %v", got, err)
	}
}

func TestIgnoredRunsNothingOfTheRepository(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.log\n"})
	gittest.Run(t, dir, "add", ".gitignore")
	trap := filepath.Join(dir, "ran")
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external", "filter.x.clean"} {
		gittest.Run(t, dir, "config", key, "touch '"+trap+"' #")
	}
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own switch for testing
	got, err := Ignored(context.Background(), dir, []string{"a.log", "a.txt"})
	if err != nil || len(got) != 1 || !got["a.log"] {
		t.Errorf("Ignored = %v, %v", got, err)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a program of the repository's choice was run")
	}
}

func TestIgnoredSaysWhyGitCannotAnswer(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".git/index": "not an index"})
	if _, err := Ignored(context.Background(), dir, []string{"a"}); err == nil || !strings.Contains(err.Error(), "index") {
		t.Errorf("a broken index: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ignored(ctx, dir, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
