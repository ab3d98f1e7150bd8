package locate

import (
	"context"
	"strings"
)

// A Resemblance is whole lines that are like a passage. Percent is at most 99: lines that
// are the same to [Folded] differ in something all the same.
type Resemblance struct {
	Line    int      // the first one, from 1
	Lines   []string // without their endings
	Percent int      // of their characters that both have, in order
}

// Resembling are the lines that are most like a passage, at most n places, the best first.
// It ends early, with what it has, when ctx does or the meter is spent.
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
