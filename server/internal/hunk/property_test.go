package hunk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

var smallLines = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "\td", "e\r"}), 0, 14)

func drawText(t *rapid.T, name string) string {
	s := joined(smallLines.Draw(t, name))
	if rapid.Bool().Draw(t, "unended") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// The diff of two texts turns one into the other. If it is applied again, it counts as done.
func TestDiffsApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawText(t, "before"), drawText(t, "after")
		body := patchOf(before, after, rapid.IntRange(0, 4).Draw(t, "context"))
		got, out := applyTo(t, before, body, Options{})
		if strings.HasPrefix(body, "@@ -0,0 ") && before != "" && len(parse(body)) == 1 {
			if got != before || !diag.HasErrors(out.Problems) { // git would take the patch for one that creates the file (rule G60)
				t.Fatalf("%q became %q: %v\n%s", before, got, out.Problems, body)
			}
			return
		}
		if got != after || diag.HasErrors(out.Problems) || slices.ContainsFunc(out.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.HunkMoved }) {
			t.Fatalf("%q became %q, want %q: %v\n%s", before, got, after, out.Problems, body)
		}
		if body != "" && len(out.Places) != len(parse(body)) {
			t.Fatalf("%d places", len(out.Places))
		}
	})
}

// If some hunks are skipped, the result is as if the patch had only the other hunks.
func TestSkipping(t *testing.T) {
	for round := range trials.Rounds(t, 200) {
		r := rand.New(rand.NewPCG(7, uint64(round)))
		lines := program(r, 60)
		before, after := joined(lines), joined(changed(r, lines, 5))
		body := patchOf(before, after, r.IntN(4))
		hunks := parse(body)
		skipped := intent.Skipped{}
		var want []text.Edit
		for _, h := range hunks {
			if r.IntN(2) == 0 {
				skipped[h.At] = true
				continue
			}
			want = append(want, editOf(before, h))
		}
		got, out := applyTarget(t, intent.Target{Text: place.NewText(before), Skipped: skipped}, body, Options{})
		expected, err := text.Apply(before, want)
		if err != nil {
			t.Fatal(err)
		}
		if got != expected || diag.HasErrors(out.Problems) || strings.Contains(codes(out.Problems), "moved") {
			t.Fatalf("round %d: %v\n%s", round, out.Problems, body)
		}
	}
}

// editOf returns the edit of a hunk on exactly the text from which it was made.
func editOf(src string, h Hunk) text.Edit {
	lines := place.NewLines(src, place.AfterLF, nil)
	at := h.Old.Start - 1
	if h.Old.Count == 0 {
		at++
	}
	_, after := sides(h.Lines)
	return text.Edit{Span: lines.Span(at, h.Old.Count), New: after.text}
}

// If some hunks were applied and the history knows it, they count as done. If they remove some of several equal lines,
// Aptix asks. Without the history, most applied hunks are recognized, too.
func TestDoneTheSecondTime(t *testing.T) {
	done, asked := 0, 0
	n := trials.Rounds(t, 200)
	for round := range n {
		r := rand.New(rand.NewPCG(8, uint64(round)))
		lines := program(r, 60)
		before, after := joined(lines), joined(changed(r, lines, 3))
		body := patchOf(before, after, 3)
		got, out := applyTarget(t, intent.Target{Text: place.NewText(after), Applied: true}, body, Options{})
		if strings.Contains(codes(out.Problems), string(diag.HunkStandsAlready)) {
			asked++
		} else if got != after || !out.Done && body != "" {
			t.Fatalf("round %d: applied again: %v\n%s\n%s", round, out.Problems, body, after)
		}
		if got, out := applyTo(t, after, body, Options{}); got == after && out.Done {
			done++
		} else if got != after && !diag.HasErrors(out.Problems) && !strings.Contains(codes(out.Problems), string(diag.HunkStandsAlready)) && !strings.Contains(codes(out.Problems), string(diag.HunkMoved)) && !removesRepeated(body) {
			t.Fatalf("round %d: applied again without a word\n%s", round, body)
		}
	}
	if asked > n/20 {
		t.Errorf("%d of %d are asked about although the history knows them", asked, n)
	}
	if done < n/2 {
		t.Errorf("only %d of %d are known to be done without the history", done, n)
	}
}

// removesRepeated reports whether a hunk removes some of several equal lines. Without the
// history, nothing shows that such a hunk was applied, and git applies it again.
func removesRepeated(body string) bool {
	return slices.ContainsFunc(parse(body), func(h Hunk) bool {
		before, after := sides(h.Lines)
		return strings.HasPrefix(before.text, after.text)
	})
}
