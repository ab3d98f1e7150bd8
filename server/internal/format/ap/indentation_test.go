package ap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A certain fix for a content that is too deep gives the intended text, whichever lines the
// writer indented too much: all of them, only the first ones, or only those of the snippet.
func TestTooDeepIsCertainOrLeft(t *testing.T) {
	certain := 0
	rapid.Check(t, func(t *rapid.T) {
		before := []string{"class A:", "    def f(self):", "        x = 1", "        if x:", "            y()", "        return x", "    z = 2"}
		start := rapid.IntRange(0, len(before)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, min(start+3, len(before))).Draw(t, "end")
		snippet := before[start:end]
		indent := before[start][:len(before[start])-len(strings.TrimLeft(before[start], " "))]
		content := slices.Concat([]string{before[start] + "  # new"}, before[start+1:end])
		depths := []string{""}
		if strings.HasSuffix(before[start], ":") {
			content[0] = strings.TrimSuffix(before[start], ":") + " :"
			depths = []string{"    "}
		}
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			content = append(content, indent+rapid.SampledFrom(depths).Draw(t, "depth")+"more()")
		}
		want := join(slices.Concat(before[:start], content, before[end:]), "\n", true)

		pad := rapid.SampledFrom([]string{"  ", "    "}).Draw(t, "pad")
		all := rapid.Bool().Draw(t, "all")
		padded := func(lines []string, all bool) string {
			out := slices.Clone(lines)
			for i := range out {
				if all || i == 0 {
					out[i] = pad + out[i]
				}
			}
			return strings.Join(out, "\n")
		}
		body := fmt.Sprintf("@ AP 3.2\n@ FILE\na.py\n@ REPLACE\n@ snippet\n%s\n@ content\n%s\n@ END\n", padded(snippet, all), padded(content, all))
		body = strings.ReplaceAll(body, "@", "a1b2c3d4")
		for _, d := range problemsIn(t, body, join(before, "\n", true)) {
			for _, f := range d.Fixes {
				if d.Code != diag.APContentIndentation || !f.Preferred {
					continue
				}
				certain++
				fixed, err := text.Apply(body, f.Edits)
				if err != nil {
					t.Fatal(err)
				}
				if after, found := applyTo(t, fixed, join(before, "\n", true)); after != want {
					t.Fatalf("%s\nfixed as\n%s\nbecame\n%s\nwant\n%s\n%s", body, fixed, after, want, messages(found))
				}
			}
		}
	})
	if certain < 20 {
		t.Errorf("only %d fixes were certain", certain)
	}
}

func problemsIn(t *rapid.T, body, before string) []diag.Diagnostic {
	_, found := applyTo(t, body, before)
	return found
}
