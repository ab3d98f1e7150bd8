package doubt

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The rules must not panic on any text, and must not doubt a change that changes nothing.
func TestRulesSurviveAnyText(t *testing.T) {
	words := []string{"", ".", "}", "{", "#", "# etc.", "// NEW", "...", "\"", `"""`, "</a>", "<a>", "\\", "$a", "return None", "pass", "a, b,", "é", "lo\u0430d", "\t", "    x = f(1)", "def f(a):", "<<<<<<< HEAD", "[truncated]", "\r", "\x00", "\xff"}
	line := rapid.OneOf(rapid.SampledFrom(words), rapid.StringN(0, 12, -1))
	lines := rapid.Map(rapid.SliceOfN(line, 0, 12), func(l []string) string { return strings.Join(l, "\n") })
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		path := rapid.SampledFrom([]string{"a.py", "a.go", "a.html", "Makefile", "README", "a.json"}).Draw(t, "path")
		for _, f := range []Facts{{}, {Whole: true}, {Whole: true, MayBePart: true}, {Marked: true}} {
			f.New = before == ""
			c := Whole(path, before, after, f)
			if !f.Whole && !f.New {
				c = &Change{Path: path, Facts: f, Before: func() string { return before }, Runs: Runs(place.NewText(before), diff.Edits(before, after), text.Span{}, intent.Written{})}
			}
			Of(c)
			if same := Of(Whole(path, after, after, Facts{Whole: true, New: after == ""})); len(same) > 0 {
				t.Fatalf("%q is doubted although it stays: %+v", after, same)
			}
		}
	})
}
