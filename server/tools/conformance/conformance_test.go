package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/casefile"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

const suite = "../../../testdata/conformance"

// Aptix must pass its own suite when it is run like any other program. A quarter
// of the cases is tried, and each night all of them; casetest always tries all, in one process.
func TestAptixPasses(t *testing.T) {
	needs.Program(t, "go")
	aptix := filepath.Join(t.TempDir(), "aptix")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", aptix, "../../cmd/aptix").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cases, err := casefile.Load(suite)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, c := range cases {
		if i%trials.OneIn(4) == 0 {
			names = append(names, regexp.QuoteMeta(c.Name))
		}
	}
	failed, err := run(suite, "^("+strings.Join(names, "|")+")$", []string{aptix, "apply", "{flags}", "--root", "{root}", "{reply}"})
	if failed > 0 || err != nil {
		t.Errorf("%d cases fail, %v", failed, err)
	}
}

// Wrong programs must not pass.
func TestOthersFail(t *testing.T) {
	needs.Program(t, "sh")
	cases, err := casefile.Load(filepath.Join(suite, "apply-patch"))
	if err != nil {
		t.Fatal(err)
	}
	refused, unchanged := 0, 0
	for _, c := range cases {
		if c.Exit != 0 {
			refused++
		} else if !c.Has("--yes") && maps.Equal(c.Before, c.After) {
			unchanged++
		}
	}
	for _, program := range []struct {
		name, script string
		passes       int
	}{
		{"refuses everything", "exit 1", refused},
		{"does nothing", "exit 0", unchanged},
		{"writes and refuses", "echo > new; exit 1", 0},
		{"writes something else", "echo > new", 0},
	} {
		command := []string{"sh", "-c", program.script, "{flags}", "{reply}"}
		problems, err := tryAll(command, cases, regexp.MustCompile(""))
		if err != nil {
			t.Fatal(err)
		}
		if passes := len(cases) - report(cases, problems); passes != program.passes || len(cases) < 50 || refused < 20 || unchanged < 3 {
			t.Errorf("a program that %s passes %d of %d, want %d", program.name, passes, len(cases), program.passes)
		}
	}
}

func TestCommandMustTakeTheReply(t *testing.T) {
	for _, command := range [][]string{nil, {"sh"}, {"no-such-program-is-there", "{reply}"}} {
		if _, err := run(suite, "", command); err == nil {
			t.Errorf("%q is run", command)
		}
	}
}
