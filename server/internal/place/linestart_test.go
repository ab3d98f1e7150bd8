package place

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// LineStart agrees with a table of lines: for every line ending, in texts of one or many chunks, and after edits.
func TestLineStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", strings.Repeat("long ", 300)})
		eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"})
		var b strings.Builder
		for range rapid.IntRange(0, 60).Draw(t, "lines") {
			b.WriteString(line.Draw(t, "line") + eol.Draw(t, "ending"))
		}
		b.WriteString(line.Draw(t, "last"))
		whole := NewText(b.String())
		whole.cut()
		at := rapid.IntRange(0, whole.Len()).Draw(t, "at")
		if rapid.Bool().Draw(t, "edited") && !strings.HasPrefix(b.String()[at:], "\n") {
			var err error
			if whole, err = whole.Apply([]text.Edit{{Span: text.Span{Start: at, End: at}, New: "x\ny"}}); err != nil {
				t.Fatal(err)
			}
		}
		lf, raw := NewLines(whole.LF(), AfterEOL, nil), NewLines(whole.String(), AfterEOL, nil)
		if got := whole.LineCount(); got != lf.Count() {
			t.Fatalf("%d lines, want %d", got, lf.Count())
		}
		for i := range lf.Count() + 1 {
			if got := whole.LineStart(i); got != lf.Start(i) {
				t.Fatalf("line %d begins at %d, want %d", i, got, lf.Start(i))
			}
			if got, want := whole.LineAtRaw(raw.Start(i)), whole.LineAt(lf.Start(i)); got != want {
				t.Fatalf("%d of the raw text is on line %d, want %d", raw.Start(i), got, want)
			}
		}
	})
}
