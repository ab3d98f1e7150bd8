package ap

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// After any changes, the target has the expected lines, and every search gives the same places as
// a naive comparison, whether it checks them one by one or in one pass.
func TestSearchesAfterChanges(t *testing.T) {
	line := rapid.SampledFrom([]string{"x", "  x", "y", "", "// x", "z"})
	some := rapid.SliceOfN(line, 1, 20)
	found, inside := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		want := some.Draw(t, "file")
		target := newTarget(place.NewText(strings.Join(want, "\n")+"\n"), text.LF)
		for n := range rapid.IntRange(0, 5).Draw(t, "changes") {
			start := rapid.IntRange(0, len(want)).Draw(t, "start")
			end := rapid.IntRange(start, min(len(want), start+3)).Draw(t, "end")
			lines := rapid.SliceOfN(line, 0, 3).Draw(t, "lines")
			if start < target.touched() {
				inside++
			}
			target.replace(start, end, lines, n+1)
			want = slices.Replace(want, start, end, lines...)
		}
		if got := target.textsOf(region{end: target.count()}); !slices.Equal(got, want) {
			t.Fatalf("lines are %q, want %q", got, want)
		}
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		sought := rapid.SliceOfN(line, 1, 3).Draw(t, "sought")
		if len(want) > 0 && rapid.Bool().Draw(t, "occurs") {
			at := rapid.IntRange(0, len(want)-1).Draw(t, "at")
			sought = slices.Clone(want[at:min(len(want), at+len(sought))])
		}
		found += checkRuns(t, target, want, sought, from) + checkPassages(t, target, want, sought, from)
	})
	if found < 50 || inside < 20 {
		t.Errorf("only %d places were found, after %d changes above others: the test says little", found, inside)
	}
}

func checkRuns(t *rapid.T, target *target, lines, sought []string, from int) int {
	l := target.locator(sought)
	if len(l.bodies) == 0 || slices.Contains(l.bodies, -1) {
		return 0
	}
	var naive, got, atOnce []region
	for i := from; i < len(lines); i++ {
		if end := endOfRun(lines, l.lines, i); end > 0 {
			naive = append(naive, region{start: i, end: end})
		}
	}
	target.runs(l.bodies, from, func(at region) bool { got = append(got, at); return true })
	target.runsAtOnce(l.bodies, from, func(at region) bool { atOnce = append(atOnce, at); return true })
	if !slices.Equal(got, naive) || !slices.Equal(atOnce, naive) {
		t.Fatalf("%q in %q from %d: %v one by one, %v at once, want %v", sought, lines, from, got, atOnce, naive)
	}
	return len(naive)
}

// endOfRun returns the line after the solid lines that begin at line i, or 0 if they do not
// match.
func endOfRun(lines, solid []string, i int) int {
	for k, want := range solid {
		for k > 0 && i < len(lines) && lines[i] == "" {
			i++
		}
		if i == len(lines) || strings.TrimSpace(lines[i]) != want {
			return 0
		}
		i++
	}
	return i
}

func checkPassages(t *rapid.T, target *target, lines, sought []string, from int) int {
	if text.IsBlank(sought[0]) || text.IsBlank(sought[len(sought)-1]) {
		return 0 // values of a patch never begin or end with a blank line
	}
	p := target.passage(sought)
	var naive, got []region
	for i := from; i+len(sought) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(sought)], sought) {
			naive = append(naive, region{start: i, end: i + len(sought)})
		}
	}
	target.passages(p, from, len(lines), func(at region) bool { got = append(got, at); return true })
	if !slices.Equal(got, naive) {
		t.Fatalf("%q in %q from %d: %v, want %v", sought, lines, from, got, naive)
	}
	return len(naive)
}

// If these places were checked one by one, that would take ten billion comparisons.
func TestAlikeLines(t *testing.T) {
	file := strings.Repeat("x\n", 200_000)
	patch := "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nf.txt\na1b2c3d4 REPLACE\na1b2c3d4 snippet\n" +
		strings.Repeat("x\n", 100_000) + "y\na1b2c3d4 content\nx\ny\n"
	parsed := Parse(patch)
	out := parsed.Set.Changes[0].Steps[0].Resolve(intent.Target{Text: place.NewText(file)})
	if len(out.Problems) != 1 || out.Problems[0].Code != diag.APSnippetNotFound {
		t.Errorf("got %v", codes(out.Problems))
	}
}
