package locate

import (
	"context"
	"strings"
)

// A Resemblance is a run of whole lines that are similar to a passage. Percent is at most 99,
// because lines that are equal after [Fold] still differ in something.
type Resemblance struct {
	Line    int      // the first line, from 1
	Lines   []string // without their endings
	Percent int      // the share of common characters, in order
}

// Resembling returns up to n places with the lines most similar to a passage, the best
// first. When ctx is done or the meter is spent, it returns the places found so far.
func (t *Text) Resembling(ctx context.Context, passage string, n int) []Resemblance {
	var out []Resemblance
	for _, p := range t.Folded().Closest(ctx, passage, n) {
		out = append(out, t.resemblance(p))
	}
	return out
}

func (t *Text) resemblance(p Place) Resemblance {
	s := t.Folded().src
	start := strings.LastIndexByte(s[:p.Span.Start], '\n') + 1
	end := p.Span.End
	if i := strings.IndexByte(s[end:], '\n'); i < 0 {
		end = len(s)
	} else if end == start || s[end-1] != '\n' {
		end += i
	}
	lines := strings.Split(strings.TrimRight(s[start:end], "\n"), "\n")
	return Resemblance{Line: 1 + strings.Count(s[:start], "\n"), Lines: lines, Percent: min(int(p.Likeness*100), 99)}
}
