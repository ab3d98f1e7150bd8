package place

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A span returned by unique occurs once, contains the find, is extended by whole lines, and could
// not be smaller.
func TestUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", "a\n", "b\n"}), 1, 30).Draw(t, "s"), "")
		find := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n"}), 1, 3).Draw(t, "find"), "")
		starts := Occurrences(s, find)
		if len(starts) == 0 {
			return
		}
		start := rapid.SampledFrom(starts).Draw(t, "start")
		ups, downs := steps(s, start, -1), steps(s, start+len(find), 1)
		fewest := -1
		for u := range ups {
			for d := range downs {
				if len(Occurrences(s, s[ups[u]:downs[d]])) == 1 && (fewest < 0 || u+d < fewest) {
					fewest = u + d
				}
			}
		}
		span, ok := unique(s, len(find), start, Occurrences(s, find))
		if ok != (fewest >= 0) {
			t.Fatalf("%q in %q: found %v, want %d steps", find, s, ok, fewest)
		}
		if !ok {
			return
		}
		u, d := indexOf(ups, span.Start), indexOf(downs, span.End)
		if u < 0 || d < 0 || u+d != fewest {
			t.Fatalf("%q in %q: %q takes %d and %d steps, want %d", find, s, span.In(s), u, d, fewest)
		}
	})
}

func indexOf(steps []int, at int) int {
	for i, step := range steps {
		if step == at {
			return i
		}
	}
	return -1
}

// In a file of identical lines, no context helps.
func TestUniqueNowhere(t *testing.T) {
	s := strings.Repeat("x = 1\n", 100)
	if span, ok := unique(s, len("x = 1\n"), 300, Occurrences(s, "x = 1\n")); ok {
		t.Errorf("%q is said to be unique", span.In(s))
	}
}
