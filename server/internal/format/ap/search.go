package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A locator is a text to find. It consists of nonblank lines without the white space around them
// (rule A31).
type locator struct {
	lines  []string
	bodies []int32 // the body of each line; -1 for a line that occurs nowhere
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

// A region is a range of whole lines, from start up to end, as they are now. prefix is the part
// of the first line that comes before the searched text.
type region struct {
	start, end int
	prefix     string
}

func (r region) contains(o region) bool { return r.start <= o.start && o.end <= r.end }

// A search looks for one locator.
type search struct {
	t       *target
	l       locator
	version version
	written bool // text that the patch wrote counts, too (rule A37 forbids this)
}

// each yields all places from line from on, in order, until yield returns false. If there is an exact
// place, it leaves out the places whose first line only ends with the text (rule A49).
func (s search) each(from int, yield func(region) bool) {
	found := false
	s.exact(from, func(r region) bool { found = true; return yield(r) })
	if !found {
		s.soft(from, yield)
	}
}

// all returns the first places, but no more than most.
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

// isOwn reports whether a place does not count because the patch wrote all of its lines.
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

// soft yields the places whose first line ends with the first line of the locator (rules A49 and A50).
// If the locator has only one line, nothing else can rule out a wrong place. Version 3.1 of the format
// then yields no place, and version 3.2 yields only places at which the text before the locator is
// meaningless.
func (s search) soft(from int, yield func(region) bool) {
	switch {
	case len(s.l.lines) == 1 && s.version == v32:
		s.softLine(from, yield)
	case len(s.l.lines) > 1 && !slices.Contains(s.l.bodies[1:], -1):
		s.softLines(from, yield)
	}
}

func (s search) softLine(from int, yield func(region) bool) {
	s.endingLike(from, func(prefix string, i int) bool {
		r := region{i, i + 1, prefix}
		return !saysNothing.MatchString(prefix) || s.isOwn(r) || yield(r)
	})
}

// endingLike yields the lines, from line from on, that end with the first line of the locator, and the
// text before it.
func (s search) endingLike(from int, yield func(prefix string, i int) bool) {
	var found []int
	for _, body := range s.t.endingWith(s.l.lines[0]) {
		s.t.places(body, from, func(i int) bool { found = append(found, i); return true })
	}
	slices.Sort(found)
	for _, i := range found {
		if !yield(strings.TrimSuffix(s.t.word(s.t.body(i)), s.l.lines[0]), i) {
			return
		}
	}
}

// few is the largest number of places of a line that are checked one by one.
const few = 16

// softLines yields the places of a locator with several lines. It tries the lines that end with the
// first line of the locator, or the places of the other lines if these are rarer.
func (s search) softLines(from int, yield func(region) bool) {
	others, work, next := s.l.bodies[1:], 0, from
	if s.t.frequency(others[s.t.rarest(others)]) > few {
		s.endingLike(from, func(prefix string, i int) bool {
			end, compared := s.t.matchDown(others, i)
			work, next = work+compared, i+1
			r := region{i, end, prefix}
			if end < 0 || s.isOwn(r) || yield(r) {
				return work <= repetitive
			}
			work = 0
			return false
		})
		if work <= repetitive {
			return
		}
	}
	s.t.runs(others, next+1, func(r region) bool {
		first := s.t.solidAbove(r.start)
		if first < next {
			return true
		}
		prefix, ok := strings.CutSuffix(s.t.word(s.t.body(first)), s.l.lines[0])
		r.start, r.prefix = first, prefix
		return !ok || s.isOwn(r) || yield(r)
	})
}

// saysNothing matches a meaningless beginning of a line: the start of a comment, a bullet, a
// quote, the sign of a diff, or the number of an item.
var saysNothing = lazyregexp.New(`^(?:(?://+|#+|/\*+|<!--|--|;+|%+|>+|[-+*•·]|\(?\d{1,4}[.)]|\[[ xX]?\])\s*)+$|^\s*$`)
