package findreplace

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

func edit(find, replace string) WholeLines {
	return WholeLines{Readings: []Reading{{Find: find, Replace: replace}}, FindName: "the SEARCH text", ReplaceName: "the REPLACE text"}
}

func applied(t interface{ Fatal(...any) }, s string, out intent.Outcome) string {
	after, err := text.Apply(s, out.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// linesAt finds lines in a text by a naive comparison.
func linesAt(all, want []string) (found []int) {
	for i := 0; i+len(want) <= len(all); i++ {
		if slices.Equal(all[i:i+len(want)], want) {
			found = append(found, i)
		}
	}
	return found
}

// Lines that occur once are replaced, and nothing else changes. For lines that occur more often,
// Aptix asks. Missing lines change nothing.
func TestWholeLines(t *testing.T) {
	once, several, missing := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "ab", "", " a", "value = compute(1)", "value = compute(2)", "}"})
		all := rapid.SliceOfN(line, 1, 14).Draw(t, "text")
		from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
		want := slices.Clone(all[from:rapid.IntRange(from+1, len(all)).Draw(t, "to")])
		if rapid.IntRange(0, 5).Draw(t, "another") == 0 {
			want = rapid.SliceOfN(line, 1, 3).Draw(t, "find")
		}
		by := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z()", "", "a", "value = compute(2)"}), 0, 4).Draw(t, "replace")
		eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ending")
		final := rapid.SampledFrom([]string{eol, ""}).Draw(t, "final")
		if all[len(all)-1] == "" {
			final = eol // without an ending, an empty last line does not exist
		}
		src := strings.Join(all, eol) + final
		if !strings.ContainsAny(src, "\r\n") {
			eol = "\n" // the ending in a text that has none
		}
		join := func(lines []string) string { return strings.Join(append(slices.Clone(lines), ""), "\n") }
		out := edit(join(want), join(by)).Resolve(intent.Target{Text: place.NewText(src)})
		after := applied(t, src, out)
		places := linesAt(all, want)
		open := slices.DeleteFunc(slices.Clone(places), func(at int) bool {
			return !slices.Equal(want, by) && slices.ContainsFunc(linesAt(all, by), func(b int) bool { return b <= at && at+len(want) <= b+len(by) })
		})
		switch {
		case len(places) == 0:
			missing++
			if after != src {
				t.Fatalf("%q is not in %q, which became %q", want, all, after)
			}
		case len(open) == 0:
			if after != src || !out.Done {
				t.Fatalf("%q by %q is done in %q, which became %q", want, by, all, after)
			}
		default:
			meant := strings.Join(slices.Concat(all[:open[0]], by, all[open[0]+len(want):]), eol)
			if len(by)+len(all)-len(want) > 0 {
				meant += final
			}
			if strings.TrimRight(after, "\r\n") != strings.TrimRight(meant, "\r\n") {
				t.Fatalf("%q by %q in %q became %q, want %q", want, by, src, after, meant)
			}
			asks := slices.ContainsFunc(out.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.FindAmbiguous && d.Asks() })
			if asks != (len(places) > 1) && after != src {
				t.Fatalf("%d places, %d of them open, and asks is %v", len(places), len(open), asks)
			}
			if len(open) > 1 {
				several++
			} else {
				once++
			}
		}
	})
	if once < 20 || several < 5 || missing < 5 {
		t.Errorf("%d once, %d several, %d missing: the test says little", once, several, missing)
	}
}

// If a file has no final newline, it has none after the edit, whatever its line endings.
func TestEndOfFile(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		for src, want := range map[string]string{"a" + eol + "b = 1": "a" + eol + "b = 2" + eol + "y", "a" + eol + "b = 1" + eol: "a" + eol + "b = 2" + eol + "y" + eol} {
			e := edit("b = 1\n", "b = 2\ny\n")
			after := applied(t, src, e.Resolve(intent.Target{Text: place.NewText(src)}))
			if after != want {
				t.Errorf("%q became %q, want %q", src, after, want)
			}
			if out := e.Resolve(intent.Target{Text: place.NewText(after)}); !out.Done {
				t.Errorf("%q is not done: %v", after, out.Problems)
			}
		}
	}
}

// If a fix is offered for one of several places, it makes the edit replace the lines at that
// place, without a question.
func TestSuggestedPlaces(t *testing.T) {
	const src = "head\nx = 1\nmiddle\nx = 1\ntail\nx = 1\n"
	e := edit("x = 1\n", "x = 2\n")
	e.Readings[0].FindAt.Span, e.Readings[0].ReplaceAt.Span = text.Span{Start: 1, End: 2}, text.Span{Start: 3, End: 4}
	out := e.Resolve(intent.Target{Text: place.NewText(src)})
	fixes := out.Problems[0].Suggest(t.Context())
	var results []string
	for _, f := range fixes {
		out := edit(f.Edits[0].New, f.Edits[1].New).Resolve(intent.Target{Text: place.NewText(src)})
		if len(out.Problems) > 0 {
			t.Errorf("%s: %v", f.Title, out.Problems)
		}
		results = append(results, applied(t, src, out))
	}
	want := []string{"head\nx = 2\nmiddle\nx = 1\ntail\nx = 1\n", "head\nx = 1\nmiddle\nx = 2\ntail\nx = 1\n", "head\nx = 1\nmiddle\nx = 1\ntail\nx = 2\n"}
	if !slices.Equal(results, want) {
		t.Errorf("%q, want %q", results, want)
	}
}
