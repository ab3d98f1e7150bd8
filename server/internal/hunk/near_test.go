package hunk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// A trial is a patch as a model may write it, with the correct result.
type trial struct {
	src, body string
	truth     string
	opt       Options
	unknown   bool // the line endings are unknown
}

func newTrial(r *rand.Rand, edit func(r *rand.Rand, lines []string) []string) trial {
	for {
		lines := program(r, 30+r.IntN(100))
		for range r.IntN(3) { // make some parts of the file occur twice
			at, n := r.IntN(len(lines)-20), 5+r.IntN(15)
			lines = slices.Insert(lines, r.IntN(len(lines)), slices.Clone(lines[at:at+n])...)
		}
		if edit != nil {
			lines = edit(r, lines)
		}
		t := trial{src: joined(lines), truth: joined(changed(r, lines, 1+r.IntN(4)))}
		if t.body = patchOf(t.src, t.truth, 3); t.body != "" {
			return t
		}
	}
}

// For every kind of mistake, --fix gives the correct result or the patch is refused.
func TestNearMisses(t *testing.T) {
	for i, c := range classes {
		t.Run(c.name, func(t *testing.T) {
			n, right, offered := trials.Rounds(t, 60), 0, 0
			for round := range n {
				tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
				got, refused := tr.repair(t, fmt.Sprint("round ", round))
				if !refused && got == tr.truth {
					right++
					offered++
				} else if tr.offers(t) {
					offered++
				}
			}
			t.Logf("%d rounds: %d %% right with --fix, %d %% by some fixes", n, 100*right/n, 100*offered/n)
			if 100*right < c.certain*n || 100*offered < c.offered*n {
				t.Errorf("want %d %% right with --fix, %d %% by some fixes", c.certain, c.offered)
			}
		})
	}
}

func (tr trial) target() intent.Target {
	return intent.Target{Text: place.NewText(tr.src), EndingsUnknown: tr.unknown}
}

// repair makes all fixes that are certain, then applies the patch.
func (tr trial) repair(t *testing.T, name string) (got string, refused bool) {
	repaired := tr.fixedBody(t)
	got, out := applyTarget(t, tr.target(), repaired.body, repaired.opt)
	refused = diag.HasErrors(out.Problems)
	asks := strings.Contains(codes(out.Problems), string(diag.HunkStandsAlready))
	if !refused && !asks && got != tr.truth {
		t.Fatalf("%s: wrong %v\n--- file\n%s\n--- patch\n%s\n--- repaired\n%s\n--- got\n%s\n--- want\n%s", name, out.Problems, tr.src, tr.body, repaired.body, got, tr.truth)
	}
	return got, refused
}

// fixedBody returns the trial after all certain fixes. A section that a fix rewrites is in git's
// form afterwards.
func (tr trial) fixedBody(t *testing.T) trial {
	for range 6 {
		out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
		edits := certain(out.Problems)
		if len(edits) == 0 {
			return tr
		}
		tr = tr.edited(t, edits)
	}
	t.Fatalf("fixes without end:\n%s", tr.body)
	return tr
}

func (tr trial) edited(t *testing.T, edits []text.Edit) trial {
	next, err := text.Apply(tr.body, edits)
	if err != nil {
		t.Fatalf("fixes get in each other's way: %v\n%s", err, tr.body)
	}
	tr.body = next
	return tr
}

// offers reports whether the first fix of each problem leads to the correct result. If there is only one problem, it is
// enough if any of its fixes does.
func (tr trial) offers(t *testing.T) bool {
	tr = tr.fixedBody(t)
	for range 8 {
		out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
		if !diag.HasErrors(out.Problems) {
			got, err := text.Apply(tr.src, out.Edits)
			return err == nil && got == tr.truth
		}
		next, ok := tr.choose(t, out.Problems)
		if !ok {
			return false
		}
		tr = next
	}
	return false
}

// choose applies the fix of the first error that brings the text closest to the correct result.
func (tr trial) choose(t *testing.T, ds []diag.Diagnostic) (best trial, ok bool) {
	for _, d := range ds {
		if d.Severity != diag.Error {
			continue
		}
		most := -1
		for _, f := range d.AllFixes(context.Background()) {
			next := tr.edited(t, f.Edits)
			got, _ := applyTarget(t, next.target(), next.body, next.opt)
			if n := alike(got, tr.truth); n > most {
				best, ok, most = next, true, n
			}
		}
		if ok {
			return best, true
		}
	}
	return tr, false
}

// alike counts the lines that two texts share at both ends.
func alike(a, b string) int {
	x, y := gitLines(a+"\n"), gitLines(b+"\n")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	m := 0
	for m < min(len(x), len(y))-n && x[len(x)-1-m] == y[len(y)-1-m] {
		m++
	}
	return n + m
}

// Each certain fix is also correct alone.
func TestFixesAlone(t *testing.T) {
	tried := 0
	for i, c := range classes {
		for round := range trials.Rounds(t, 20) {
			tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
			out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
			for _, d := range out.Problems {
				if edits := certain([]diag.Diagnostic{d}); len(edits) > 0 {
					tried++
					tr.edited(t, edits).repair(t, fmt.Sprintf("%s, round %d, one fix", c.name, round))
				}
			}
		}
	}
	if tried < len(classes)*trials.Rounds(t, 20)/4 {
		t.Errorf("only %d certain fixes were tried", tried)
	}
}

// Git accepts the hunks that certain fixes write, and gives the same result.
func TestGitTakesWhatFixesWrite(t *testing.T) {
	needs.Program(t, "git")
	dir := t.TempDir()
	n, asked := min(trials.Rounds(t, 8), 200), 0
	for i, c := range classes {
		for round := range n {
			tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round)))).fixedBody(t)
			got, out := applyTarget(t, tr.target(), tr.body, tr.opt)
			if tr.unknown || diag.HasErrors(out.Problems) || strings.Contains(codes(out.Problems), string(diag.AlreadyApplied)) {
				continue
			}
			asked++
			want, ok := git(t, dir, tr.src, strings.TrimPrefix(tr.body, "--- a/f\n+++ b/f\n"))
			if !ok || got != want {
				t.Fatalf("%s, round %d: git %v\n--- file\n%s--- patch\n%s--- got\n%s--- want\n%s", c.name, round, ok, tr.src, tr.body, got, want)
			}
		}
	}
	if asked < n*len(classes)/4 {
		t.Errorf("of %d patches git was asked about %d", n*len(classes), asked)
	}
}
