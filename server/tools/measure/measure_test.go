package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestReadBlocks(t *testing.T) {
	turn := strings.Split("Change it.\n\n**src/a.py**\n```python\n<<<<<<< SEARCH\na\n\n=======\nb\n>>>>>>> REPLACE\n```\n\nAnd:\n\n```python\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```", "\n")
	got := readBlocks(turn)
	want := []block{{"src/a.py", "a\n\n", "b\n"}, {"src/a.py", "", "new\n"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q, want %q", got, want)
	}
	tagged := readBlocks(strings.Split("docs/b.md\n<source>markdown\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</source>", "\n"))
	if len(tagged) != 1 || tagged[0].path != "docs/b.md" {
		t.Errorf("below a tag: got %q, want the path docs/b.md", tagged)
	}
}

// Each way damages a diff that contains all kinds of lines.
func TestEachDamageSpoils(t *testing.T) {
	diff := "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@ f\n one  \n \n-\ttwo'\n+\tthree'\n \tfour's\n five\n@@ -20,4 +20,4 @@\n six\n \tseven\n-a\n+b\n eight\n\\ No newline at end of file\n"
	for _, d := range damages {
		s := sample{text: diff, before: tree{"a": "x\n"}, after: tree{"a": "y\n"}}
		changed := false
		for seed := range uint64(5) {
			got := d.do(rand.New(rand.NewPCG(seed, 1)), s)
			changed = changed || got.text != diff || !got.before.equal(s.before)
		}
		if !changed {
			t.Errorf("%q leaves the diff as it was", d.name)
		}
	}
}

func TestJudge(t *testing.T) {
	s := sample{before: tree{"a": "1", "b": "1"}, after: tree{"a": "2", "b": "2"}, letter: tree{"a": "3", "b": "2"}}
	for want, c := range map[outcome]struct {
		done bool
		now  tree
	}{
		right: {true, tree{"a": "2", "b": "2"}}, letter: {true, tree{"a": "3", "b": "2"}}, half: {true, tree{"a": "2", "b": "1"}},
		wrong: {true, tree{"a": "2", "b": "4"}}, refused: {false, tree{"a": "1", "b": "1"}}, dirty: {false, tree{"a": "2", "b": "1"}},
	} {
		if got := s.judge(c.done, c.now); got != want {
			t.Errorf("%v: got %s, want %s", c, titles[got], titles[want])
		}
	}
	trimmed := sample{before: tree{"a": "1"}, after: tree{"a": "2 \n\t\n3"}}
	for loose, want := range map[bool]outcome{true: right, false: wrong} {
		trimmed.loose = loose
		if got := trimmed.judge(true, tree{"a": "2\n\n3"}); got != want {
			t.Errorf("white space at line ends is gone, loose %v: got %s, want %s", loose, titles[got], titles[want])
		}
	}
}
