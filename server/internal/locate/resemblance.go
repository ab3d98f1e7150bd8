package locate

import (
	"context"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
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
	at := LinesAround(s, p.Span)
	lines := strings.Split(strings.TrimRight(at.In(s), "\n"), "\n")
	return Resemblance{Line: 1 + strings.Count(s[:at.Start], "\n"), Lines: lines, Percent: min(int(p.Likeness*100), 99)}
}

// LinesAround returns the span of the whole lines that a span touches.
func LinesAround(s string, span text.Span) text.Span {
	start := strings.LastIndexByte(s[:span.Start], '\n') + 1
	if !strings.HasSuffix(s[start:span.End], "\n") {
		line, _, _ := strings.Cut(s[span.End:], "\n")
		span.End += len(line)
	}
	return text.Span{Start: start, End: span.End}
}
