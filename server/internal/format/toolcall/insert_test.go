package toolcall

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

// Lines are inserted below the named line, with any line endings, and nothing else changes. A
// second time, the insertion counts as done, or Aptix asks.
func TestInsertion(t *testing.T) {
	applied, refused, asked := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "", "  b", "value = compute(1)"})
		all := rapid.SliceOfN(line, 0, 8).Draw(t, "text")
		added := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "", "x", "value = compute(2)"}), 1, 3).Draw(t, "added")
		after := rapid.IntRange(-1, len(all)+1).Draw(t, "after")
		eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ending")
		final := rapid.SampledFrom([]string{eol, ""}).Draw(t, "final")
		if len(all) == 0 {
			final = ""
		} else if all[len(all)-1] == "" {
			final = eol // without an ending, an empty last line does not exist
		}
		src := strings.Join(all, eol) + final
		if !strings.ContainsAny(src, "\r\n") {
			eol = "\n" // the ending in a text that has none
		}
		step := insertion{After: after, Lines: strings.Join(added, "\n") + rapid.SampledFrom([]string{"\n", ""}).Draw(t, "end")}
		if added[len(added)-1] == "" {
			step.Lines = strings.Join(added, "\n") + "\n"
		}
		out := step.Resolve(intent.Target{Text: place.NewText(src)})
		got, err := text.Apply(src, out.Edits)
		if err != nil {
			t.Fatal(err)
		}
		at := after
		if after < 0 {
			at = len(all)
		}
		if at > len(all) {
			if refused++; got != src || !diag.HasErrors(out.Problems) {
				t.Fatalf("line %d of %q gives %q, %v", at, src, got, out.Problems)
			}
			return
		}
		want := strings.Join(slices.Concat(all[:at], added, all[at:]), eol) + final
		if len(all) == 0 || at == len(all) && final == "" && added[len(added)-1] == "" {
			want += eol
		}
		asks := slices.ContainsFunc(out.Problems, diag.Diagnostic.Asks)
		if asks {
			asked++
		}
		if out.Done && got == src {
			return // the file already has the lines at that place
		}
		if applied++; got != want {
			t.Fatalf("%q after line %d of %q gives %q, want %q", added, at, src, got, want)
		}
		again := step.Resolve(intent.Target{Text: place.NewText(got)})
		if !again.Done && !slices.ContainsFunc(again.Problems, diag.Diagnostic.Asks) && after >= 0 {
			t.Fatalf("%q after line %d of %q would be there twice without a question", added, at, src)
		}
	})
	if applied == 0 || refused == 0 || asked == 0 {
		t.Errorf("%d applied, %d refused, %d asked: the test says little", applied, refused, asked)
	}
}
