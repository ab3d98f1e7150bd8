package diff

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Stat counts the lines that a line diff adds and removes. A line of which only the ending differs counts as both.
func Stat(before, after string) (added, removed int) {
	if before == "" || after == "" {
		return countLines(after), countLines(before)
	}
	if added, removed, ok := fewest(before, after); ok {
		return added, removed
	}
	for _, r := range regions(text.SplitLines(before), text.SplitLines(after)) {
		removed += countLines(r.old.In(before))
		added += countLines(r.new.In(after))
	}
	return added, removed
}

func countLines(s string) int {
	n := strings.Count(s, "\n")
	if strings.Contains(s, "\r") {
		n += strings.Count(s, "\r") - strings.Count(s, "\r\n")
	}
	if s != "" && s[len(s)-1] != '\n' && s[len(s)-1] != '\r' {
		n++
	}
	return n
}

// nearby is the number of lines after a difference in which both texts must agree again.
const nearby = 32

// fewest returns the counts without a diff, if the edits of [Near] prove them. They do so if no line is both removed
// and added: then `after` has fewer copies of each removed line and more copies of each added line, so no edits
// could remove or add fewer lines.
func fewest(before, after string) (added, removed int, ok bool) {
	edits, ok := Near(before, after)
	if !ok {
		return 0, 0, false
	}
	var gone, come []string
	for _, e := range edits {
		gone, come = append(gone, text.SplitLines(e.Span.In(before))...), append(come, text.SplitLines(e.New)...)
	}
	return len(come), len(gone), apart(gone, come)
}

// Near returns edits of whole lines that turn before into after, from top to bottom. They need not be the fewest.
// Near goes down both texts, which may have any size, and continues after a difference at the nearest lines that are
// equal. It returns false if no equal lines are near.
func Near(before, after string) (edits []text.Edit, ok bool) {
	var room [2][nearby]string
	for at := 0; ; {
		start := alike(before[at:], after)
		at, after = at+start, after[start:]
		if at == len(before) || after == "" {
			if at < len(before) || after != "" {
				edits = append(edits, text.Edit{Span: text.Span{Start: at, End: len(before)}, New: after})
			}
			return edits, true
		}
		old, new := firstLines(room[0][:0], before[at:]), firstLines(room[1][:0], after)
		i, j, ok := meet(old, new)
		if !ok && (len(old) == nearby || len(new) == nearby) {
			return nil, false
		}
		gone, come := size(old[:i]), size(new[:j])
		edits = append(edits, text.Edit{Span: text.Span{Start: at, End: at + gone}, New: after[:come]})
		at, after = at+gone, after[come:]
	}
}

// alike returns the length in bytes of the lines with which both texts begin.
func alike(a, b string) int {
	n := text.SharedStart(a, b)
	for n > 0 && !(startsLine(a, n) && startsLine(b, n)) {
		n--
	}
	return n
}

// startsLine reports whether a line begins at an offset above 0, or the text ends there.
func startsLine(s string, at int) bool {
	switch {
	case at == len(s):
		return true
	case s[at-1] == '\r':
		return s[at] != '\n'
	}
	return s[at-1] == '\n'
}

func firstLines(lines []string, s string) []string {
	for at := 0; at < len(s) && len(lines) < nearby; {
		_, next := text.LineEnd(s, at)
		lines = append(lines, s[at:next])
		at = next
	}
	return lines
}

// meet returns the equal lines a[i] and b[j] that are nearest to the first lines. If there are none, it returns the
// lengths of both lists, and false.
func meet(a, b []string) (i, j int, ok bool) {
	for far := range len(a) + len(b) - 1 {
		for i := max(0, far-len(b)+1); i <= min(far, len(a)-1); i++ {
			if a[i] == b[far-i] {
				return i, far - i, true
			}
		}
	}
	return len(a), len(b), false
}

func size(lines []string) (n int) {
	for _, line := range lines {
		n += len(line)
	}
	return n
}

func apart(a, b []string) bool {
	seen := text.Set(a)
	return !slices.ContainsFunc(b, func(line string) bool { return seen[line] })
}
