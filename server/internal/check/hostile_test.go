package check

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// nearlyRepositories returns a tree in which a single new file could make git run a program:
// it has a folder that is nearly a repository, a real repository, a worktree whose repository
// is beside it, links, and the state of this program.
func nearlyRepositories() fstest.MapFS {
	file := func(data string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(data), Mode: 0o644} }
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(to), Mode: 0o777 | fs.ModeSymlink}
	}
	return fstest.MapFS{
		"a.txt": file("one\ntwo\n"), "tool/objects/x": file(""), "tool/refs/x": file(""), "tool/config": file("[core]\n"),
		"dir/HEAD": file("ref: refs/heads/main\n"), "dir/objects/x": file(""), "dir/refs/x": file(""), "dir/config": file("[core]\n"),
		"wt/.git": file("gitdir: ../store\n"), "store/config": file(""), "store/HEAD": file("x"), "store/objects/x": file(""), "store/refs/x": file(""), ".git/config": file("[core]\n"), ".git/hooks/x": file(""),
		"link": link(".git"), "out": link("../outside"), "up/link": link("../.git/hooks"), "state/journal": file("{}"),
	}
}

// staysAway fails the test if a reply changes something outside the root, or a file that
// would make git run a program.
func staysAway(t *testing.T, doc string) {
	t.Helper()
	tree := nearlyRepositories()
	r, err := Check(context.Background(), []Document{{Name: "reply.md", Text: doc}}, Where{Tree: tree, Base: "/base", Own: "state"})
	if err != nil {
		t.Fatal(err)
	}
	after := map[string]bool{}
	for name := range tree {
		after[name] = true
	}
	files := plan.Paths(r.Plan.Files)
	for _, f := range files {
		after[f.Path] = f.After.Exists
	}
	for _, f := range files {
		real, err := fspath.Canonical(tree, path.Dir(f.Path))
		switch {
		case !fs.ValidPath(f.Path), err != nil && !fspath.Missing(err) && f.After.Exists:
			t.Fatalf("%q is written: %v", f.Path, err)
		case fspath.IsGit(f.Path), fspath.IsGit(real), strings.HasPrefix(f.Path+"/", "store/"), strings.HasPrefix(f.Path+"/", "state/"):
			t.Fatalf("%q is written", f.Path)
		case f.After.Mode&fs.ModeSymlink != 0 && !filepath.IsLocal(path.Join(path.Dir(f.Path), f.After.Data)):
			t.Fatalf("%q leads out: %q", f.Path, f.After.Data)
		}
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			if isRepository(after, dir) {
				t.Fatalf("%q is written in %q, which git treats as a git directory", f.Path, dir)
			}
			if dir == "." {
				break
			}
		}
	}
}

func isRepository(files map[string]bool, dir string) bool {
	has := map[string]bool{}
	for name, is := range files {
		if rel, below := strings.CutPrefix(name, dir+"/"); is && (below || dir == ".") {
			if dir == "." {
				rel = name
			}
			first, _, _ := strings.Cut(rel, "/")
			has[first] = true
		}
	}
	return has["HEAD"] && has["objects"] && has["refs"]
}

func TestHostileReplies(t *testing.T) {
	write := func(p string) string {
		return "```json\n{\"root\": \".\", \"files\": [{\"path\": \"" + p + "\", \"content\": \"x\\n\"}]}\n```\n"
	}
	for _, p := range []string{"tool/HEAD", "tool/head", "dir/config", "store/config", "wt/.git", "link/config", "up/link/pre-commit", "out/x", "../x", ".git/config",
		".GIT/config", "GIT~1/config", ".git./config", ".g\u200cit/config", "state/journal", "sub/../../x", "a.txt/../.git/x", "tool/HEAD/../x"} {
		staysAway(t, write(p))
	}
	staysAway(t, write("tool/HEAD")+write("tool/x"))
	staysAway(t, "```patch\ndiff --git a/a.txt b/tool/HEAD\nsimilarity index 100%\nrename from a.txt\nrename to tool/HEAD\n```\n")
}
