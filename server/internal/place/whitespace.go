package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// most is the largest number of places to find. If places overlap, each of them can cost as much as the searched
// text.
const most = 50

// findTrailing returns the places of `want` in s, ignoring white space at line ends. The time is linear in both
// lengths.
func findTrailing(s, want string) []text.Span {
	needle := trimRight(want)
	last := want[strings.LastIndexByte(want, '\n')+1:]
	atLineEnd := last != strings.TrimRight(last, spaces)
	if text.IsBlank(needle) || !mayHold(s, needle) {
		return nil
	}
	hay := trimRight(s)
	var found []text.Span
	w := walker{s: s, hay: hay}
	for _, start := range Occurrences(hay, needle) {
		end := start + len(needle)
		if atLineEnd && end < len(hay) && hay[end] != '\n' {
			continue
		}
		w.line(start)
		found = append(found, text.Span{Start: w.source(start), End: w.source(end)})
		if len(found) == most {
			break
		}
	}
	return found
}

// findIndented returns the places of `want` in s as whole lines, ignoring indentation and white space at line ends.
// Blank lines must match. The last line of s need not have an ending. The time is linear in both lengths.
func findIndented(s, want string) []text.Span {
	above, rest, more := strings.Cut(want, "\n")
	ending := more && text.IsBlank(above) // want begins with the ending of the line above
	if ending {
		want = rest
	}
	last := want[strings.LastIndexByte(want, '\n')+1:]
	if text.IsBlank(want) || last != "" && text.IsBlank(last) || !mayHold(s, want) {
		return nil
	}
	lines := NewLines(s, AfterLF, nil)
	index := lines.IndexBy(func(line string) string { return strings.Trim(line, spaces+"\n") })
	passage := text.SplitLines(want)
	var found []text.Span
	index.Find(index.ClassesOf(passage), func(at int) bool {
		span := lines.Span(at, len(passage))
		if last != "" {
			span.End = span.Start + len(strings.TrimRight(span.In(s), spaces+"\n"))
		}
		if ending {
			span.Start--
		}
		if span.Start >= 0 {
			found = append(found, span)
		}
		return len(found) < most
	})
	return found
}

// A walker maps ascending offsets in hay, which is s without the white space at line ends, to offsets in s.
type walker struct {
	s, hay     string
	sAt, hayAt int // the start of the current line
}

// line moves to the line that contains an offset of hay, and returns the start of that line in s.
func (w *walker) line(offset int) int {
	for {
		end := strings.IndexByte(w.hay[w.hayAt:], '\n')
		if end < 0 || w.hayAt+end >= offset {
			return w.sAt
		}
		w.hayAt += end + 1
		w.sAt += strings.IndexByte(w.s[w.sAt:], '\n') + 1
	}
}

// source maps an offset of hay to s. It does not move the walker, because the next occurrence may begin before the
// offset.
func (w *walker) source(offset int) int {
	ahead := *w
	at := ahead.line(offset)
	line, _, _ := strings.Cut(ahead.s[at:], "\n")
	return at + min(offset-ahead.hayAt, len(strings.TrimRight(line, spaces)))
}

func trimRight(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.Lines(s) {
		body := strings.TrimSuffix(line, "\n")
		b.WriteString(strings.TrimRight(body, spaces))
		b.WriteString(line[len(body):])
	}
	return b.String()
}

func (t *Text) trailing(want string) []text.Span { return t.nearby(want, findTrailing) }

// Indented returns the places of `want` as whole lines, ignoring indentation and white space at line ends. Blank
// lines must match.
func (t *Text) Indented(want string) []text.Span { return t.nearby(want, findIndented) }

// eachTrimmed is the cost of comparing each byte without white space, in units of the meter.
const eachTrimmed = 6

// maxAnchors is the largest number of places that are checked one by one. If the longest line of a passage has more
// places, the whole text is searched.
const maxAnchors = 16

// nearby calls `find` only on the lines around each place of the longest line of `want`.
func (t *Text) nearby(want string, find func(s, want string) []text.Span) []text.Span {
	t.meter.Pay(eachTrimmed * len(want))
	lines := longestLines(want)
	for _, line := range lines {
		if !t.Contains(line) {
			return nil
		}
	}
	if lines[0] == "" {
		return nil
	}
	anchors := t.All(lines[0], maxAnchors+1)
	if len(anchors) > maxAnchors {
		if !t.meter.Pay(eachTrimmed * t.size) {
			return nil
		}
		return find(t.LF(), want)
	}
	var found []text.Span
	reach := strings.Count(want, "\n") + 2
	end := 0 // the end of the last window
	for i := 0; i < len(anchors); i++ {
		if anchors[i] < end {
			continue
		}
		w := t.windowOfLines(anchors[i], reach)
		// Join windows that overlap.
		for i+1 < len(anchors) && anchors[i+1] < w.At+len(w.Text) {
			i++
			next := t.windowOfLines(anchors[i], reach)
			w = t.window(text.Span{Start: w.At, End: next.At + len(next.Text)}, func(string, string) (bool, bool) { return true, true })
		}
		t.meter.Pay(eachTrimmed * len(w.Text))
		for _, span := range find(w.Text, want) {
			found = append(found, span.Shift(w.At))
		}
		end = w.At + len(w.Text)
	}
	return found
}

const telltales = 3

// longestLines returns the longest lines of `want`, without the white space around them. Searching for these lines
// is quick, and if `want` does not occur, they usually do not occur either.
func longestLines(want string) []string {
	lines := strings.Split(want, "\n")
	for i := range lines {
		lines[i] = strings.Trim(lines[i], spaces)
	}
	slices.SortFunc(lines, func(a, b string) int { return len(b) - len(a) })
	return lines[:min(len(lines), telltales)]
}

func mayHold(s, want string) bool {
	return !slices.ContainsFunc(longestLines(want), func(line string) bool { return !strings.Contains(s, line) })
}
