package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A locator is a text to find: its nonblank lines, without white space around them (rule A31).
type locator struct {
	lines  []string
	bodies []int32 // as [line.body], or -1 if no line of the file has that text
}

func (t *target) locator(lines []string) locator {
	var l locator
	for _, s := range lines {
		if s = strings.TrimSpace(s); s != "" {
			l.lines, l.bodies = append(l.lines, s), append(l.bodies, t.knownBody(s))
		}
	}
	return l
}

// A region is the whole lines [start, end), as they are numbered now. If the searched text begins inside the first
// line, `prefix` is the text before it.
type region struct {
	start, end int
	prefix     string
}

func (r region) contains(o region) bool { return r.start <= o.start && o.end <= r.end }

type search struct {
	t       *target
	l       locator
	version version
	written bool // includes lines that the patch itself wrote, which rule A37 normally forbids
}

// each yields all places from line `from` on, from top to bottom. It skips places at which the text begins inside a
// line if there is an exact place (rule A49).
func (s search) each(from int, yield func(region) bool) {
	found := false
	s.exact(from, func(r region) bool { found = true; return yield(r) })
	if !found {
		s.soft(from, yield)
	}
}

func (s search) all(from, most int) []region {
	var found []region
	s.each(from, func(r region) bool { found = append(found, r); return len(found) < most })
	return found
}

func (s search) exact(from int, yield func(region) bool) {
	if len(s.l.bodies) > 0 && !slices.Contains(s.l.bodies, -1) {
		s.t.runs(s.l.bodies, from, func(r region) bool { return s.isOwn(r) || yield(r) })
	}
}

// isOwn reports whether the patch itself wrote all lines of a place, so that the place does not count.
func (s search) isOwn(r region) bool {
	return !s.written && r.start < s.t.touched() && s.t.allWritten(r.start, r.end)
}

func (t *target) allWritten(start, end int) bool {
	for i := start; i < end; i++ {
		if !t.isWritten(i) && !t.isBlank(i) {
			return false
		}
	}
	return true
}

// soft yields the places at which the first line of the locator is only the end of a line of the file (rules A49 and
// A50). With one line, no other line confirms the place: 3.1 accepts none, and 3.2 only one whose line begins
// without meaning, such as with `// `.
func (s search) soft(from int, yield func(region) bool) {
	switch {
	case len(s.l.lines) == 1 && s.version == v32:
		s.softLine(from, yield)
	case len(s.l.lines) > 1 && !slices.Contains(s.l.bodies[1:], -1):
		s.softLines(from, yield)
	}
}

func (s search) softLine(from int, yield func(region) bool) {
	var found []int
	for _, body := range s.t.endingWith(s.l.lines[0]) {
		s.t.places(body, from, func(i int) bool { found = append(found, i); return true })
	}
	slices.Sort(found)
	for _, i := range found {
		r := region{i, i + 1, strings.TrimSuffix(s.t.word(s.t.body(i)), s.l.lines[0])}
		if saysNothing.MatchString(r.prefix) && !s.isOwn(r) && !yield(r) {
			return
		}
	}
}

// softLines searches for the lines below the first, and then checks the line above them.
func (s search) softLines(from int, yield func(region) bool) {
	s.t.runs(s.l.bodies[1:], from+1, func(r region) bool {
		first := s.t.solidAbove(r.start)
		if first < from {
			return true
		}
		prefix, ok := strings.CutSuffix(s.t.word(s.t.body(first)), s.l.lines[0])
		r.start, r.prefix = first, prefix
		return !ok || s.isOwn(r) || yield(r)
	})
}

// saysNothing matches the beginning of a line that has no meaning of its own: the start of a comment, a bullet, the
// `>` of a quotation, the `+` or `-` of a diff, or the number of an item.
var saysNothing = lazyregexp.New(`^(?:(?://+|#+|/\*+|<!--|--|;+|%+|>+|[-+*•·]|\(?\d{1,4}[.)]|\[[ xX]?\])\s*)+$|^\s*$`)
