package ap

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A locator is a text to be found: the lines of it that are not blank, without the
// blanks around them (rule A31).
type locator struct {
	lines  []string
	bodies []int32 // -1 for a line that is nowhere
}

func (t *target) locator(lines []string) locator {
	var l locator
	for _, s := range lines {
		if s = strings.TrimSpace(s); s != "" {
			body, ok := t.bodies[s]
			if !ok {
				body = -1
			}
			l.lines, l.bodies = append(l.lines, s), append(l.bodies, body)
		}
	}
	return l
}

// A region is whole lines, from start up to end, as they stand now. Prefix is what
// the first one has before the text that was looked for.
type region struct {
	start, end int
	prefix     string
}

func (r region) contains(o region) bool { return r.start <= o.start && o.end <= r.end }

// matches reports where a match of l ends that begins at line i; only the lines
// behind the first are compared.
func (t *target) matches(l locator, i int) (end int, ok bool) {
	for _, body := range l.bodies[1:] {
		for i++; i < len(t.marks) && t.marks[i] == 0; i++ {
		}
		if i >= len(t.marks) || t.marks[i].body() != body {
			return 0, false
		}
	}
	return i + 1, true
}

// A comparison is of one locator with many places. What goes on for long is done at
// once instead, for all places: comparing each of them takes the square of the file
// where all its lines are alike.
type comparison struct {
	t    *target
	l    locator
	made int         // comparisons of lines, at most
	ends map[int]int // by first line, once they are too many
}

// matches is [target.matches] for a line that is not blank.
func (c *comparison) matches(i int) (end int, ok bool) {
	if c.made > repetitive && c.ends == nil {
		c.ends = c.t.matchEnds(c.l.bodies[1:])
	}
	if c.ends != nil {
		end, ok = c.ends[i]
		return end, ok
	}
	if len(c.l.bodies) > 1 && i+1 < len(c.t.marks) && (c.t.marks[i+1] == 0 || c.t.marks[i+1].body() == c.l.bodies[1]) {
		c.made += len(c.l.bodies)
	}
	return c.t.matches(c.l, i)
}

// matchEnds is where the lines end that are those of some bodies, by the line before
// them. Blank lines between do not count.
func (t *target) matchEnds(bodies []int32) map[int]int {
	var lines []int
	var all []int32
	for i, m := range t.marks {
		if m != 0 {
			lines, all = append(lines, i), append(all, m.body())
		}
	}
	ends := map[int]int{}
	for _, k := range occurrences(all, bodies, 0) {
		if k > 0 {
			ends[lines[k-1]] = lines[k+len(bodies)-1] + 1
		}
	}
	return ends
}

// A search is for one locator.
type search struct {
	t       *target
	l       locator
	version version
	written bool // text that the patch wrote counts (rule A37 is against it)
}

// each tells all places from line from on, in order, until yield has enough. Where
// the text stands exactly, places where the first line only ends with it do not
// count (rule A49).
func (s search) each(from int, yield func(region) bool) {
	found := false
	s.exact(from, func(r region) bool { found = true; return yield(r) })
	if !found {
		s.soft(from, yield)
	}
}

// all are the first places, most at most.
func (s search) all(from, most int) []region {
	var found []region
	s.each(from, func(r region) bool { found = append(found, r); return len(found) < most })
	return found
}

func (s search) exact(from int, yield func(region) bool) {
	if len(s.l.bodies) == 0 || slices.Contains(s.l.bodies, -1) {
		return
	}
	s.beginning(s.l.bodies[:1], from, yield)
}

// beginning tells the places whose first line is one of bodies, which are sorted.
func (s search) beginning(bodies []int32, from int, yield func(region) bool) {
	t := s.t
	c := comparison{t: t, l: s.l}
	try := func(i int) bool {
		end, ok := c.matches(i)
		if !ok || !s.written && i < t.touched && t.allWritten(i, end) {
			return true
		}
		body := t.words[t.marks[i].body()]
		return yield(region{i, end, strings.TrimSuffix(body, s.l.lines[0])})
	}
	for i := from; i < min(t.touched, len(t.marks)); i++ {
		if body := t.marks[i].body(); body != 0 && (len(bodies) == 1 && body == bodies[0] || len(bodies) > 1 && hasBody(bodies, body)) && !try(i) {
			return
		}
	}
	shift := t.shift()
	for _, k := range t.whereAny(bodies, max(from, t.touched)-shift) {
		if !try(int(k) + shift) {
			return
		}
	}
}

func hasBody(sorted []int32, body int32) bool {
	_, ok := slices.BinarySearch(sorted, body)
	return ok
}

// whereAny are the target's lines from a line on that have one of some bodies.
func (t *target) whereAny(bodies []int32, from int) []int32 {
	if len(bodies) == 1 {
		lines := t.where[bodies[0]]
		i, _ := slices.BinarySearch(lines, int32(from))
		return lines[i:]
	}
	var out []int32
	for _, body := range bodies {
		lines := t.where[body]
		i, _ := slices.BinarySearch(lines, int32(from))
		out = append(out, lines[i:]...)
	}
	slices.Sort(out)
	return out
}

func (t *target) allWritten(start, end int) bool {
	for i := start; i < end; i++ {
		if t.marks[i] != 0 && t.at(i).by == 0 {
			return false
		}
	}
	return true
}

// soft tells the places whose first line ends with the locator's (rules A49
// and A50). A single line has nothing that could tell a wrong
// place: 3.1 has no such match for it, and 3.2 only behind what says nothing.
func (s search) soft(from int, yield func(region) bool) {
	single := len(s.l.lines) == 1
	if len(s.l.lines) == 0 || single && s.version == v31 || slices.Contains(s.l.bodies[1:], -1) {
		return
	}
	bodies := s.t.endingWith(s.l.lines[0])
	if single {
		bodies = slices.DeleteFunc(bodies, func(body int32) bool {
			return !saysNothing.MatchString(strings.TrimSuffix(s.t.words[body], s.l.lines[0]))
		})
	}
	if len(bodies) > 0 {
		s.beginning(bodies, from, yield)
	}
}

// saysNothing is what stands before a line without a meaning of its own: comment
// openers, bullets, quotes, diff markers, numbers of a list.
var saysNothing = regexp.MustCompile(`^(?:(?://+|#+|/\*+|<!--|--|;+|%+|>+|[-+*•·]|\(?\d{1,4}[.)]|\[[ xX]?\])\s*)+$|^\s*$`)

// endingWith are the bodies that end with s, sorted.
func (t *target) endingWith(s string) []int32 {
	if t.endings == nil {
		t.endings = make([]int32, t.own-1)
		for i := range t.endings {
			t.endings[i] = int32(i + 1)
		}
		slices.SortFunc(t.endings, func(a, b int32) int { return compareReversed(t.words[a], t.words[b]) })
	}
	var found []int32
	i, _ := slices.BinarySearchFunc(t.endings, s, func(body int32, s string) int { return compareReversed(t.words[body], s) })
	for ; i < len(t.endings) && strings.HasSuffix(t.words[t.endings[i]], s); i++ {
		found = append(found, t.endings[i])
	}
	for body := t.own; int(body) < len(t.words); body++ {
		if strings.HasSuffix(t.words[body], s) {
			found = append(found, body)
		}
	}
	slices.Sort(found)
	return found
}

// compareReversed orders texts by their last bytes first.
func compareReversed(a, b string) int {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if c := cmp.Compare(a[len(a)-i], b[len(b)-i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// marksOf are the marks of lines that are to be written.
func (t *target) marksOf(lines []string) []mark {
	out := make([]mark, len(lines))
	for i, s := range lines {
		out[i] = t.mark(s)
	}
	return out
}

// stands reports whether lines of these marks are at line i.
func (t *target) stands(marks []mark, i int) bool {
	return i >= 0 && i+len(marks) <= len(t.marks) && slices.Equal(t.marks[i:i+len(marks)], marks)
}

// repetitive is how many comparisons are made one by one.
const repetitive = 1 << 20

// standing are the places from line from on, up to line to, where lines of these
// marks are, indentation included. It takes time linear in both.
func (t *target) standing(marks []mark, from, to int) []region {
	if len(marks) == 0 {
		return nil
	}
	var found []region
	var starts []int
	first := search{t: t, l: locator{lines: []string{""}, bodies: []int32{marks[0].body()}}, written: true}
	first.beginning(first.l.bodies, from, func(r region) bool {
		if r.start+len(marks) > to {
			return false
		}
		starts = append(starts, r.start)
		return true
	})
	repeats := len(starts)*len(marks) > repetitive
	if repeats {
		starts = occurrences(t.marks[:to], marks, from)
	}
	for _, i := range starts {
		if repeats || t.stands(marks, i) {
			found = append(found, region{start: i, end: i + len(marks)})
		}
	}
	return found
}

// occurrences is where pattern is in s from an index on: Knuth, Morris and Pratt.
func occurrences[T comparable](s, pattern []T, from int) []int {
	border := make([]int, len(pattern)+1)
	for i, k := 1, 0; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = border[k]
		}
		if pattern[i] == pattern[k] {
			k++
		}
		border[i+1] = k
	}
	var starts []int
	k := 0
	for i := from; i < len(s); i++ {
		for k > 0 && s[i] != pattern[k] {
			k = border[k]
		}
		if s[i] == pattern[k] {
			k++
		}
		if k == len(pattern) {
			starts = append(starts, i+1-k)
			k = border[k]
		}
	}
	return starts
}
