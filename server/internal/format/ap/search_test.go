package ap

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Compared all at once or one by one, the same places match.
func TestMatchesAtOnce(t *testing.T) {
	some := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "  x", "y", "", "// x"}), 1, 20)
	rapid.Check(t, func(t *rapid.T) {
		target := newTarget(strings.Join(some.Draw(t, "file"), "\n"), text.LF)
		l := target.locator(some.Draw(t, "snippet"))
		if len(l.bodies) < 2 { // one line is one comparison
			return
		}
		c := comparison{t: target, l: l, made: repetitive + 1}
		for i, m := range target.marks {
			if m == 0 {
				continue
			}
			end, ok := target.matches(l, i)
			if gotEnd, got := c.matches(i); got != ok || gotEnd != end {
				t.Fatalf("line %d: %d, %v at once, %d, %v alone", i, gotEnd, got, end, ok)
			}
		}
	})
}

// One by one, these are ten billion comparisons.
func TestAlikeLines(t *testing.T) {
	file := strings.Repeat("x\n", 200_000)
	patch := "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nf.txt\na1b2c3d4 REPLACE\na1b2c3d4 snippet\n" +
		strings.Repeat("x\n", 100_000) + "y\na1b2c3d4 content\nx\ny\n"
	parsed := Parse(patch)
	out := parsed.Set.Changes[0].Steps[0].Resolve(intent.Target{Text: locate.NewText(file)})
	if len(out.Problems) != 1 || out.Problems[0].Code != diag.APSnippetNotFound {
		t.Errorf("got %v", codes(out.Problems))
	}
}
