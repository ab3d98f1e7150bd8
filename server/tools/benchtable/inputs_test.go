package main

import (
	"bytes"
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// Each work, at a fiftieth of its size, gives the expected tree with aptix and with git apply.
func TestInputsAreValid(t *testing.T) {
	for _, w := range works {
		t.Run(w.name, func(t *testing.T) {
			in := w.input(50)
			if maps.Equal(in.before, in.after) != (w.command == "check") {
				t.Fatalf("before and after do not fit the command %s", w.command)
			}
			at := folders(t, in)
			applied(t, w, in, at)
			if w.git {
				gitApplies(t, in)
			}
		})
	}
}

func applied(t *testing.T, w work, in input, at func(string) string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", at("state"))
	var out bytes.Buffer
	exit := cli.Run(context.Background(), []string{w.command, "--root", at(project), at(in.name)},
		cli.IO{In: strings.NewReader(""), Out: &out, Err: &out}, "test")
	if err := judge(w, in, result{measure: measure{Exit: exit}, project: at(project), output: out.String()}); err != nil {
		t.Error(err)
	}
}

func gitApplies(t *testing.T, in input) {
	t.Helper()
	needs.Program(t, "git")
	at := folders(t, in)
	cmd := exec.Command("git", "apply", "--whitespace=error-all", at(in.name))
	cmd.Dir, cmd.Env = at(project), environment(at)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	if err := in.after.compare(at(project)); err != nil {
		t.Errorf("git apply: %v", err)
	}
}

func folders(t *testing.T, in input) (at func(string) string) {
	t.Helper()
	dir := t.TempDir()
	at = func(name string) string { return filepath.Join(dir, name) }
	if err := prepare(at, in); err != nil {
		t.Fatal(err)
	}
	return at
}

// Two runs measure the same bytes.
func TestInputsAreTheSameEachTime(t *testing.T) {
	for _, w := range works {
		a, b := w.input(100), w.input(100)
		if a.reply != b.reply || !maps.Equal(a.before, b.before) || !maps.Equal(a.after, b.after) {
			t.Errorf("%s: two inputs differ", w.name)
		}
	}
}

// An unexpected result ends the run.
func TestJudge(t *testing.T) {
	apply, check := work{command: "apply"}, work{command: "check"}
	in := input{after: tree{"dir/a.txt": "new\n"}}
	for name, c := range map[string]struct {
		work   work
		tree   tree
		exit   int
		output string
		good   bool
	}{
		"done":             {apply, tree{"dir/a.txt": "new\n"}, 0, "", true},
		"refused":          {apply, tree{"dir/a.txt": "new\n"}, 1, "", false},
		"other content":    {apply, tree{"dir/a.txt": "old\n"}, 0, "", false},
		"a file too many":  {apply, tree{"dir/a.txt": "new\n", "b.txt": ""}, 0, "", false},
		"a file too few":   {apply, tree{}, 0, "", false},
		"finds missing":    {check, tree{"dir/a.txt": "new\n"}, 1, "r.md:1:2: error: … [find-not-found]\n", true},
		"check of nothing": {check, tree{"dir/a.txt": "new\n"}, 1, "no Aptix block found", false},
		"check that broke": {check, tree{"dir/a.txt": "new\n"}, 2, "[find-not-found]", false},
	} {
		dir := t.TempDir()
		if err := c.tree.write(dir); err != nil {
			t.Fatal(err)
		}
		err := judge(c.work, in, result{measure: measure{Exit: c.exit}, project: dir, output: c.output})
		if (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
