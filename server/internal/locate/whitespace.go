package locate

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// most is the largest number of places to find. More would help nobody, and if they overlap, each
// costs as much as the searched text.
const most = 50

// FindTrailing returns the places of want in s. White space at the ends of lines does not
// count. It takes time linear in both.
func FindTrailing(s, want string) []text.Span {
	needle := trimRight(want)
	last := want[strings.LastIndexByte(want, '\n')+1:]
	atLineEnd := last != strings.TrimRight(last, spaces)
	if IsBlank(needle) || !mayHold(s, needle) {
		return nil
	}
	hay := trimRight(s)
	var found []text.Span
	w := walker{s: s, hay: hay, toHay: func(line string) string { return strings.TrimRight(line, spaces) }}
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

// FindIndented returns the places of want in s as whole lines. Indentation and white space
// at line ends do not count. Blank lines count. A line ending at the end of want may be
// missing at the end of s. It takes time linear in both.
func FindIndented(s, want string) []text.Span {
	lines := strings.Split(want, "\n")
	head, tail := blankEdges(lines)
	if head+tail >= len(lines) || tail > 0 && lines[len(lines)-1] != "" {
		return nil
	}
	needle := trimBoth(strings.Join(lines[head:len(lines)-tail], "\n"))
	if !mayHold(s, needle) {
		return nil
	}
	hay := "\n" + trimBoth(s) + "\n"
	w := walker{s: s, hay: hay[1:], toHay: func(line string) string { return strings.Trim(line, spaces) }}
	var found []text.Span
	for _, at := range Occurrences(hay, "\n"+needle+"\n") {
		span := text.Span{Start: w.line(at), End: w.source(at + len(needle))}
		if span, ok := widen(s, span, head, tail); ok {
			found = append(found, span)
		}
		if len(found) == most {
			break
		}
	}
	return found
}

// widen extends span by head line endings before it, and tail after it. The lines in
// between must be blank.
func widen(s string, span text.Span, head, tail int) (text.Span, bool) {
	for i := range head {
		if span.Start == 0 {
			return span, false
		}
		above := strings.LastIndexByte(s[:span.Start-1], '\n') + 1
		if i == head-1 {
			span.Start--
		} else if !IsBlank(s[above:span.Start]) {
			return span, false
		} else {
			span.Start = above
		}
	}
	for i := range tail {
		below := strings.IndexByte(s[span.End:], '\n')
		switch {
		case below >= 0 && IsBlank(s[span.End:span.End+below]):
			span.End += below + 1
		case below < 0 && tail == 1 && i == 0 && IsBlank(s[span.End:]):
			span.End = len(s)
		default:
			return span, false
		}
	}
	return span, true
}

// blankEdges counts the blank lines at both ends.
func blankEdges(lines []string) (head, tail int) {
	for head < len(lines) && IsBlank(lines[head]) {
		head++
	}
	for tail < len(lines)-head && IsBlank(lines[len(lines)-1-tail]) {
		tail++
	}
	return head, tail
}

// A walker maps offsets in a text with trimmed lines to offsets in the original text. The offset
// given to line must never be smaller than in the call before.
type walker struct {
	s, hay     string
	toHay      func(line string) string
	sAt, hayAt int // the start of the same line in both texts
}

// line returns the start, in s, of the line that contains an offset of hay, and moves there.
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

// source maps an offset of hay to s. It does not move, so that the next occurrence may begin
// before this offset.
func (w *walker) source(offset int) int {
	ahead := *w
	at := ahead.line(offset)
	line, _, _ := strings.Cut(ahead.s[at:], "\n")
	in := offset - ahead.hayAt
	trimmed := w.toHay(line)
	return at + strings.Index(line, trimmed) + min(in, len(trimmed))
}

func trimRight(s string) string {
	return mapLines(s, func(line string) string { return strings.TrimRight(line, spaces) })
}

func trimBoth(s string) string {
	return mapLines(s, func(line string) string { return strings.Trim(line, spaces) })
}

func mapLines(s string, f func(string) string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		line, rest, more := strings.Cut(s, "\n")
		b.WriteString(f(line))
		if !more {
			return b.String()
		}
		b.WriteByte('\n')
		s = rest
	}
}

// Trailing returns the places of want. White space at the ends of lines does not count.
func (t *Text) Trailing(want string) []text.Span { return t.nearby(want, FindTrailing) }

// Indented returns the places of want as whole lines. Indentation and white space at line
// ends do not count. Blank lines count.
func (t *Text) Indented(want string) []text.Span { return t.nearby(want, FindIndented) }

// eachTrimmed is the cost, in units, of each byte of a text whose lines are compared
// without white space.
const eachTrimmed = 6

// maxAnchors is the number of places of a line that are checked one by one. If there are
// more, the whole text is searched.
const maxAnchors = 16

// nearby finds the longest line of want, and calls find only on the lines around each of its places.
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
	anchors := t.All(lines[0], 0, maxAnchors+1)
	if len(anchors) > maxAnchors {
		if !t.meter.Pay(eachTrimmed * t.size) {
			return nil
		}
		return find(t.LF(), want)
	}
	var found []text.Span
	reach := strings.Count(want, "\n") + 2
	end := 0 // end of the windows so far
	for i := 0; i < len(anchors); i++ {
		if anchors[i] < end {
			continue
		}
		w := t.windowOfLines(anchors[i], reach)
		for i+1 < len(anchors) && anchors[i+1] < w.At+len(w.Text) { // windows that overlap become one
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

// telltales is the number of lines that are looked for before the whole passage.
const telltales = 3

// longestLines returns the longest lines of want, without the white space around them. If want
// does not occur, these lines usually do not occur either, and that is quickly found.
func longestLines(want string) []string {
	lines := strings.Split(want, "\n")
	for i := range lines {
		lines[i] = strings.Trim(lines[i], spaces)
	}
	slices.SortFunc(lines, func(a, b string) int { return len(b) - len(a) })
	return lines[:min(len(lines), telltales)]
}

func mayHold(s, want string) bool {
	for _, line := range longestLines(want) {
		if !strings.Contains(s, line) {
			return false
		}
	}
	return true
}
