package place

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits for making a passage unique.
const (
	maxOffered = 10      // the largest number of occurrences that get fixes
	maxRivals  = 10_000  // no search is made if there are more occurrences
	maxContext = 20      // the largest number of lines that are added above, and below
	maxWide    = 4 << 10 // the largest number of bytes that are added above, and below
)

// Each returns one change for each place of the old passage. The old text of the change occurs only at that place: it
// is the passage with as few lines around it as possible.
func (p Passage) Each(ctx context.Context, t *Text, places []text.Span) []Rewriting {
	s := t.LF()
	starts := text.Each(p.Law.Find(t, p.Old, maxRivals+1), func(at text.Span) int { return at.Start })
	var all []Rewriting
	for _, at := range places[:min(len(places), maxOffered)] {
		if ctx.Err() != nil {
			break
		}
		span, ok := unique(s, at.Len(), at.Start, starts)
		if !ok {
			continue
		}
		new := p.New
		// A place that is shorter than the old passage is at the end of a file without a final newline.
		if at.Len() < len(p.Old) {
			new = strings.TrimSuffix(new, "\n")
		}
		if p.Law == WholeLines && strings.HasPrefix(s[span.End:], "\n") && !strings.HasSuffix(span.In(s), "\n") {
			span.End++
		}
		wide := Change{Old: span.In(s), New: s[span.Start:at.Start] + new + s[at.End:span.End]}
		all = append(all, Rewriting{Change: wide, At: span, Line: t.LineAt(at.Start), Why: lineOf(s, starts, at.Start, t.LineAt(at.Start))})
	}
	return all
}

// lineOf describes the line of an occurrence. If another occurrence is on the line, it adds the column, in UTF-16
// units from 1.
func lineOf(s string, starts []int, at, line int) string {
	lines := text.LinesAround(s, text.Span{Start: at, End: at})
	if !slices.ContainsFunc(starts, func(other int) bool { return other != at && lines.Start <= other && other <= lines.End }) {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("line %d, column %d", line, 1+len(utf16.Encode([]rune(s[lines.Start:at]))))
}

// unique returns the smallest span around an occurrence whose text occurs nowhere else in s. The span is extended by
// whole lines. The occurrence begins at `start` and has `size` bytes; `starts` lists all occurrences. ok is false if
// the span would need too many lines.
func unique(s string, size, start int, starts []int) (at text.Span, ok bool) {
	if len(starts) > maxRivals {
		return text.Span{}, false
	}
	ups, downs := steps(s, start, -1), steps(s, start+size, 1)
	for n := range len(ups) + len(downs) - 1 {
		for u := max(0, n-len(downs)+1); u <= min(n, len(ups)-1); u++ {
			at := text.Span{Start: ups[u], End: downs[n-u]}
			repeats := func(other int) bool {
				return other != start && at.Start+other >= start && strings.HasPrefix(s[at.Start+other-start:], at.In(s))
			}
			if !slices.ContainsFunc(starts, repeats) {
				return at, true
			}
		}
	}
	return text.Span{}, false
}

// steps returns the offsets to which a span can be extended in one direction: the given offset, the end of its line,
// and the end of each further line.
func steps(s string, at, direction int) []int {
	out := []int{at}
	for len(out) <= maxContext {
		next := at
		if direction < 0 {
			next = strings.LastIndexByte(s[:max(at-1, 0)], '\n') + 1
			if at > 0 && s[at-1] != '\n' {
				next = strings.LastIndexByte(s[:at], '\n') + 1
			}
		} else if at < len(s) {
			if next = lineEnd(s, at); next == at {
				next = lineEnd(s, at+1)
			}
		}
		if next == at || max(next-out[0], out[0]-next) > maxWide {
			break
		}
		out, at = append(out, next), next
	}
	return out
}

func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[min(at, len(s)):], '\n'); i >= 0 {
		return at + i
	}
	return len(s)
}
