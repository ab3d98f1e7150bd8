package disk

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// protected is which of paths are protected in a folder, and why.
func protected(t *testing.T, dir string, paths ...string) map[string]Protection {
	t.Helper()
	root, err := Open(dir)
	must(t, err)
	defer root.Close()
	got, err := root.Protected(context.Background(), paths, nil, []string{"deploy.sh"})
	must(t, err)
	return got
}

func wantProtected(t *testing.T, got map[string]Protection, want ...string) {
	t.Helper()
	slices.Sort(want)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("protected %q\nwant      %q\n%v", names, want, got)
	}
}

func TestProtected(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	lay(t, dir, map[string]string{".gitignore": "*.log\n"})
	got := protected(t, dir, "a.log", "a.txt", ".vscode/x", ".vscode/y.log", "x/deploy.sh", ".ENVRC", ".github/x.md")
	wantProtected(t, got, ".vscode/x", ".vscode/y.log", "a.log", "x/deploy.sh", ".ENVRC")
	if p := got[".vscode/y.log"]; !p.Ignored || strings.Contains(p.Reason, "ignore") {
		t.Errorf(".vscode/y.log: %+v", p)
	}
	if p := got["a.txt"]; p.Ignored {
		t.Errorf("a.txt: %+v", p)
	}
}

// The root may itself be in a protected folder of its working tree: an .ap file's is the
// folder of the file. What is above the working tree does not count.
func TestRootInProtectedFolder(t *testing.T) {
	top := filepath.Join(t.TempDir(), ".claude", "project")
	must(t, os.MkdirAll(filepath.Join(top, ".github", "workflows"), 0o755))
	git(t, top, "init", "-q")
	wantProtected(t, protected(t, top, "x.yml", "workflows/x.yml"))
	wantProtected(t, protected(t, filepath.Join(top, ".github"), "x.yml", "workflows/x.yml"), "workflows/x.yml")
	wantProtected(t, protected(t, filepath.Join(top, ".github", "workflows"), "x.yml"), "x.yml")
}

// A folder that git ignores with all that is in it is named, be it there or not.
func TestIgnoredFolder(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	lay(t, dir, map[string]string{".gitignore": "*.log\nbuild/\n", "in/x.txt": "", "build/a/x.txt": ""})
	for path, want := range map[string]string{"a.log": "", "in/b.log": "", "build/a/x.txt": "build", "in/build/new/y.txt": "in/build", "build/z.log": "build"} {
		if got := protected(t, dir, path)[path]; !got.Ignored || got.Folder != want {
			t.Errorf("%s: %+v, want the folder %q", path, got, want)
		}
	}
	if got := protected(t, filepath.Join(dir, "build", "a"), "x.txt", "sub/y.txt"); got["x.txt"].Folder != "." || got["sub/y.txt"].Folder != "." {
		t.Errorf("in an ignored folder: %+v", got)
	}
}

// A reply that changes ignore rules must not open the way for the next one.
func TestRulesOfHeadCount(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	lay(t, dir, map[string]string{".gitignore": "*.key\nbuild/\n", "d/.gitignore": "local\n", "d/e/f": "", "tracked.key": ""})
	git(t, dir, "add", "-f", ".")
	git(t, dir, "commit", "-qm", "x")
	paths := []string{"a.key", "build/x", "d/local", "d/e/local", "tracked.key", "a.txt", "new/a.key"}
	want := []string{"a.key", "build/x", "d/local", "d/e/local", "new/a.key"}
	wantProtected(t, protected(t, dir, paths...), want...)

	lay(t, dir, map[string]string{".gitignore": "", "d/e/.gitignore": "!local\n", "build/.gitignore": "!*\n"})
	must(t, os.Remove(filepath.Join(dir, "d", ".gitignore")))
	got := protected(t, dir, paths...)
	wantProtected(t, got, want...)
	if p := got["a.key"]; !p.Ignored || !strings.Contains(p.Reason, "last commit") {
		t.Errorf("a.key: %+v", p)
	}
	sub := protected(t, filepath.Join(dir, "d"), "local", "e/local", "e/f", "x.key", "x.txt")
	wantProtected(t, sub, "local", "e/local", "x.key")
}

// Where there is a .git and git cannot tell, nothing counts as not ignored.
func TestGitCannotTell(t *testing.T) {
	elsewhere := t.TempDir()
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"bare":            func(t *testing.T, dir string) { git(t, dir, "config", "core.bare", "true") },
		"foreign":         func(t *testing.T, dir string) { git(t, dir, "config", "core.worktree", elsewhere) },
		"above":           func(t *testing.T, dir string) { git(t, dir, "config", "core.worktree", filepath.Dir(dir)) },
		"broken config":   func(t *testing.T, dir string) { lay(t, dir, map[string]string{".git/config": "[core"}) },
		"broken index":    func(t *testing.T, dir string) { lay(t, dir, map[string]string{".git/index": "no index"}) },
		"no HEAD":         func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, ".git/HEAD"))) },
		"unknown version": func(t *testing.T, dir string) { git(t, dir, "config", "core.repositoryformatversion", "99") },
		"leads nowhere": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			lay(t, dir, map[string]string{".git": "gitdir: /nowhere\n"})
		},
		"a link to nowhere": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			symlink(t, "nowhere", filepath.Join(dir, ".git"))
		},
		"no git": func(t *testing.T, dir string) { t.Setenv("PATH", t.TempDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			spoil(t, dir)
			lay(t, dir, map[string]string{"d/x": ""})
			got := protected(t, dir, "a", "d/b")
			wantProtected(t, got, "a", "d/b")
			if p := got["a"]; p.Ignored || !strings.HasPrefix(p.Reason, "git cannot tell whether it ignores it: ") {
				t.Errorf("a: %+v", p)
			}
			wantProtected(t, protected(t, filepath.Join(dir, "d"), "c"), "c")
		})
	}
}

func TestWorktreesAndSubmodulesAreNotForeign(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, d := range []string{dir, other} {
		git(t, d, "init", "-q")
		lay(t, d, map[string]string{".gitignore": "*.log\n"})
		git(t, d, "add", ".")
		git(t, d, "commit", "-qm", "x")
	}
	git(t, dir, "submodule", "--quiet", "add", other, "sub")
	git(t, dir, "worktree", "add", "-q", "wt")
	wantProtected(t, protected(t, dir, "sub/a", "sub/a.log", "wt/b", "wt/b.log", "c"), "sub/a.log", "wt/b.log")
	wantProtected(t, protected(t, filepath.Join(dir, "wt"), "b", "b.log"), "b.log")
	wantProtected(t, protected(t, filepath.Join(dir, "sub"), "b", "b.log"), "b.log")
}

// What git's configuration names is run, or read as a part of it.
func TestConfiguredFilesAreProtected(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	lay(t, dir, map[string]string{"shared.cfg": "[core]\n\teditor = tools/edit --wait\n", "d/x": "", "ci/x": ""})
	for _, kv := range [][2]string{{"core.hooksPath", "ci/hooks"}, {"include.path", "../shared.cfg"}, {"filter.x.clean", "bin/clean.sh %f"},
		{"alias.st", "!./scripts/st"}, {"core.fsmonitor", dir + "/watch.sh"}} {
		git(t, dir, "config", kv[0], kv[1])
	}
	want := []string{"ci/hooks/pre-commit", "ci/hooks/lib.sh", "shared.cfg", "bin/clean.sh", "scripts/st", "watch.sh", "tools/edit"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "ci/x", "bin/other", "d/hooks/x", "clean.sh")...), want...)
	wantProtected(t, protected(t, filepath.Join(dir, "ci"), "hooks/x", "y"), "hooks/x")
	git(t, dir, "config", "core.hooksPath", ".")
	wantProtected(t, protected(t, dir, "pre-commit", "a.txt"), "pre-commit")
}

// A link of a protected name makes what it leads to as good as it.
func TestLinksToProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"cfg/tasks.json": "{}", "gh/x": "", ".husky/x": "", "real/y": "", "pkg/a.txt": "", "tools/run": "", "wf/x.yml": ""})
	for link, target := range map[string]string{".vscode": "one", "one": "cfg", ".husky/pre-commit": "../tools/run", "pkg/.IDEA": "../real",
		".github": "gh", "x.code-workspace": "missing", ".envrc": "/etc/passwd", ".npmrc": ".npmrc", "plain": "pkg"} {
		symlink(t, target, filepath.Join(dir, filepath.FromSlash(link)))
	}
	want := []string{"cfg/tasks.json", "one", "tools/run", "gh/workflows/a.yml", "missing", "real/y"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "pkg/a.txt", "tools/other", "wf/x.yml")...), want...)
	wantProtected(t, protected(t, dir, "real/y"), []string{}...) // nothing that is asked about is in pkg
}

// A .git beyond where git looks is none.
func TestGitLooksNotSoFar(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	lay(t, dir, map[string]string{".gitignore": "*.log\n", "d/e/x": ""})
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Join(dir, "d"))
	wantProtected(t, protected(t, filepath.Join(dir, "d/e"), "a.log", "a"))
	wantProtected(t, protected(t, dir, "a.log", "a"), "a.log")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	wantProtected(t, protected(t, filepath.Join(dir, "d/e"), "a.log", "a"), "a.log")
}
