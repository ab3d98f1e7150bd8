package gitoracle_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// Paths that lead elsewhere, as headers can write them. {} stands for the path of the target.
var (
	hostilePaths = []string{"../up", "a/../../up", "a/../up", "/tmp/up", "//up", "./x", ".git/config", "a/.git/x", ".GIT/x", ".git./x", "git~1/x",
		".git\u200c/x", "out/x", "in/x", "loop/x", "file/x", "dir", "c:/x", `..\up`, "out", "in", ".", "..", ""}
	hostilePatches = map[string]string{
		"create":   "diff --git a/{} b/{}\nnew file mode 100644\n--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+new\n",
		"empty":    "diff --git a/{} b/{}\nnew file mode 100644\nindex 0000000..e69de29\n",
		"link":     "diff --git a/{} b/{}\nnew file mode 120000\n--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+file\n\\ No newline at end of file\n",
		"edit":     "diff --git a/{} b/{}\n--- a/{}\n+++ b/{}\n@@ -1 +1 @@\n-old\n+new\n",
		"plain":    "--- a/{}\n+++ b/{}\n@@ -1 +1 @@\n-old\n+new\n",
		"mode":     "diff --git a/{} b/{}\nold mode 100644\nnew mode 100755\n",
		"delete":   "diff --git a/{} b/{}\ndeleted file mode 100644\n--- a/{}\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n",
		"rename":   "diff --git a/file b/{}\nsimilarity index 100%\nrename from file\nrename to {}\n",
		"copy":     "diff --git a/file b/{}\nsimilarity index 100%\ncopy from file\ncopy to {}\n",
		"from":     "diff --git a/{} b/copy\nsimilarity index 100%\ncopy from {}\ncopy to copy\n",
		"linkfile": "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+{}\n\\ No newline at end of file\n",
		"behind":   "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+..\n\\ No newline at end of file\ndiff --git a/l/{} b/l/{}\nnew file mode 100644\n--- /dev/null\n+++ b/l/{}\n@@ -0,0 +1 @@\n+new\n",
	}
)

// TestHostilePaths checks that every path that git refuses is refused, and that nothing outside
// the root or below .git is written, even if git would write there.
func TestHostilePaths(t *testing.T) {
	dir := t.TempDir()
	s := &script{dir: dir}
	for _, kind := range slices.Sorted(maps.Keys(hostilePatches)) {
		for _, p := range hostilePaths {
			text := strings.ReplaceAll(hostilePatches[kind], "{}", p)
			s.trials = append(s.trials, &trial{number: len(s.trials), texts: []string{text}, text: text, target: hostileTree, disturbed: []string{kind, p}})
		}
	}
	if err := s.applyAll(); err != nil {
		t.Fatal(err)
	}
	history, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer history.Close()
	j := &judge{t: t, history: history, state: t.TempDir(), counts: map[string]int{}}
	for _, trial := range s.trials {
		j.hostile(s, trial)
	}
	if j.counts["applied"] < 10 || j.counts["refused"] < 100 {
		t.Errorf("this compared nothing: %v", j.counts)
	}
}

var hostileTree = tree{
	"file": {"old\n", regular}, "x": {"old\n", regular}, "a/x": {"old\n", regular}, "dir/x": {"old\n", regular},
	"out": {"../outside", link}, "in": {"dir", link}, "loop": {"loop", link}, ".git/config": {"old\n", regular},
}

func (j *judge) hostile(s *script, t *trial) {
	git, err := s.answer(t, "")
	if err != nil {
		j.t.Fatal(err)
	}
	top := filepath.Join(s.dir, "ours", t.name())
	outside := tree{"outside/x": {"old\n", regular}, "up": {"old\n", regular}}
	if err := outside.write(top); err != nil {
		j.t.Fatal(err)
	}
	dir := filepath.Join(top, "root")
	if err := t.target.write(dir); err != nil {
		j.t.Fatal(err)
	}
	ours, err := j.apply(dir, t.name(), t.text)
	if err != nil {
		j.mismatch(t, git, ours, "an error: "+err.Error())
		return
	}
	if ours.changed() {
		j.count("applied")
	} else if len(ours.result.Blocks) > 0 {
		j.count("refused")
	}
	// A path with detours is a warning in all formats, although git refuses it.
	roundabout := ours.result.Applicable() && ours.codes(diag.Warning) == "path-not-clean"
	if d := differ("git", git.tree, "here", ours.tree); ours.changed() && !roundabout && (!git.applied || d != "") {
		j.mismatch(t, git, ours, "applied here\n"+d)
	}
	all, err := readTree(top)
	if err != nil {
		j.t.Fatal(err)
	}
	outside["root/.git/config"] = hostileTree[".git/config"]
	for p, n := range outside {
		if all[p] != n {
			j.mismatch(t, git, ours, "written outside: "+p)
		}
	}
}
