package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

func TestHunksOf(t *testing.T) {
	diff := "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -9 +9 @@\n-x\n\\ No newline at end of file\n+y\n" +
		"diff --git a/new b/new\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+z\n"
	got := hunksOf(diff)
	if len(got) != 1 || got[0] != (block{"a", "one\ntwo\n", "one\n2\n"}) {
		t.Errorf("got %q", got)
	}
}

func TestLacks(t *testing.T) {
	one := []block{{"a", "old line\n", "new line\n"}}
	for data, want := range map[string]bool{"x\n": true, "  old  line\n": false, "new line\n": false, "": true} {
		if got := (tree{"a": data}).lacks(one); (len(got) == 1) != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

func TestMergeTrees(t *testing.T) {
	needs.Program(t, "git")
	base := tree{"a": "1\n2\n3\n4\n5\n", "gone": "x", "same": "s"}
	theirs := tree{"a": "1\n2\n3\n4\nfive\n", "made": "m", "same": "s"}
	ours := tree{"a": "one\n2\n3\n4\n5\n", "gone": "x", "same": "S"}
	if got := mergeTrees(ours, base, theirs); !got.equal(tree{"a": "one\n2\n3\n4\nfive\n", "made": "m", "same": "S"}) {
		t.Errorf("got %q", got)
	}
	ours["a"] = "1\n2\n3\n4\nV\n"
	if got := mergeTrees(ours, base, theirs); got != nil {
		t.Errorf("a conflict gives %q", got)
	}
}

// Every kind of past leaves the files as they are now, and git reports how they differ from the
// past.
func TestAge(t *testing.T) {
	needs.Program(t, "git")
	for kind, want := range map[string]string{"HEAD": " M a.txt\n", "index": "MM a.txt\n", "commit": "", "folder": ""} {
		b := &bench{work: t.TempDir()}
		s := sample{before: tree{"a.txt": "now\n"}, past: past{kind: kind, was: tree{"a.txt": "then\n"}}}
		root, err := b.lay(b.tree(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := readTree(root); !got.equal(s.before) {
			t.Errorf("%s: the tree is %q", kind, got)
		}
		status, err := repository(b.tree()).git("--work-tree="+b.tree(), "status", "--porcelain")
		if err != nil || string(status) != want {
			t.Errorf("%s: %v %q, want %q", kind, err, status, want)
		}
		if _, err := os.Stat(filepath.Join(root, ".git")); (kind == "folder") != (err != nil) {
			t.Errorf("%s: .git beside the files: %v", kind, err)
		}
	}
}

func TestToTheLetter(t *testing.T) {
	before := tree{"a": "x  \ny\n\nz\n"}
	for _, c := range []struct {
		b    block
		want tree
	}{
		{block{"a", "y\n\nz\n", "y\n"}, tree{"a": "x  \ny\n"}},
		{block{"a", "x\ny \n", "x\nw\ny \n"}, tree{"a": "x  \nw\ny\n\nz\n"}},
		{block{"a", "q\n", "r\n"}, nil},
		{block{"a", "\n", "r\n"}, nil},
	} {
		if got := toTheLetter(before, []block{c.b}); !(got == nil && c.want == nil) && !got.equal(c.want) {
			t.Errorf("%q: got %q, want %q", c.b, got, c.want)
		}
	}
}

func TestCommitHasTheLines(t *testing.T) {
	after := tree{"a": "  one\n  two\n"}
	for replace, want := range map[string]bool{"one\ntwo\n": true, "one\nthree\n": true, "three\nfour\none\n": false, "old\n": true} {
		if got := hasLines(after, []block{{"a", "old\n", replace}}); got != want {
			t.Errorf("%q: %v", replace, got)
		}
	}
}
