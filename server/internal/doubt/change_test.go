package doubt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// TestRuns puts the runs of random edits into the lines of a text. The result must have the lines
// of the edited text. The text may be cut into chunks, as it is after searches.
func TestRuns(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\r\n", "\n", "long line\n", "a\n"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		var edits []text.Edit
		whole := func(at int) int { // no offset between the two characters of an ending
			if at > 0 && at < len(s) && s[at-1] == '\r' && s[at] == '\n' {
				return at + 1
			}
			return at
		}
		for at := 0; at < len(s) && len(edits) < 4; {
			start := whole(rapid.IntRange(at, len(s)).Draw(t, "start"))
			end := whole(rapid.IntRange(start, min(len(s), start+5)).Draw(t, "stop"))
			edits = append(edits, text.Edit{Span: text.Span{Start: start, End: end}, New: rapid.SampledFrom([]string{"", "x", "x\ny\n", "\n"}).Draw(t, "new")})
			at = end + 1
		}
		before := place.NewText(s)
		if rapid.Bool().Draw(t, "cut") {
			before.Cut()
		}
		after, err := before.Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		got := linesOf(s)
		for _, r := range slices.Backward(Runs(before, edits, text.Span{}, intent.Written{})) {
			from, to := r.Line-1, r.Line-1+len(r.Old)
			if !slices.Equal(got[from:to], r.Old) {
				t.Fatalf("%q %v: lines %d to %d are %q and not %q", s, edits, from, to, got[from:to], r.Old)
			}
			got = slices.Replace(got, from, to, r.New...)
		}
		if want := linesOf(after.String()); !slices.Equal(got, want) {
			t.Fatalf("%q %v: %q, want %q", s, edits, got, want)
		}
	})
}
