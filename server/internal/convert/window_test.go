package convert

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// For an entry, a window gives the same decision as the whole text.
func TestWindowDecides(t *testing.T) {
	smaller, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ending")
		line := rapid.SampledFrom([]string{"x", "ax", "xa", "}", "", "one more", "word"})
		draw := func(label string, most int) string {
			lines := rapid.SliceOfN(line, 0, most).Draw(t, label)
			return strings.Join(append(lines, ""), eol)
		}
		head, tail := draw("head", 20), draw("tail", 20)
		before, after := head+draw("old", 2)+tail, head+draw("new", 2)+tail
		if rapid.Bool().Draw(t, "open end") {
			before, after = before+"end", after+"end"
		}
		r := replacer{script: newScript(before, after, nil)}
		for _, h := range r.hunks {
			above := rapid.IntRange(0, min(h.NewStart, 4)).Draw(t, "above")
			below := rapid.IntRange(0, min(len(r.old.lines)-h.OldEnd, 4)).Draw(t, "below")
			e := r.entry(h, above, below)
			for _, e := range []patchEntry{withoutEnding(e), e} {
				if e.Find == "" {
					continue
				}
				part, all := r, r
				all.mixed = true
				got, want := part.applies(e, h, above, below), all.applies(e, h, above, below)
				if got != want {
					t.Fatalf("%v, but %v in the whole of\n%q\n%q\n%+v", got, want, before, after, e)
				}
				if w := r.window(h, above, below, len(e.Find)+len(e.Replace)); w.from > 0 || w.to < len(before) {
					smaller++
				}
				if got {
					accepted++
				}
			}
		}
	})
	if smaller < 20 || accepted < 20 {
		t.Errorf("%d windows were smaller than the text, %d entries were accepted", smaller, accepted)
	}
}
