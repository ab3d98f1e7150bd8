package ap

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
)

// places yields the lines with the text `body` from line `from` on, from top to bottom.
func (t *target) places(body int32, from int, yield func(i int) bool) {
	file := t.since(t.fileLines(body), from)
	written := t.since(t.writtenOf[body], from)
	for len(file)+len(written) > 0 {
		if len(file) > 0 && t.isGone(int(file[0])) {
			file = file[1:]
			continue
		}
		next := 0
		if len(written) == 0 || len(file) > 0 && t.now(int(file[0])) < t.now(int(written[0])) {
			next, file = t.now(int(file[0])), file[1:]
		} else {
			next, written = t.now(int(written[0])), written[1:]
		}
		if !yield(next) {
			return
		}
	}
}

// since returns the IDs of line i and the lines below it. The IDs must be in the order of the lines.
func (t *target) since(ids []int32, i int) []int32 {
	first, _ := slices.BinarySearchFunc(ids, i, t.compareNow)
	return ids[first:]
}

// fileLines returns the IDs of the lines of the original file with the text `body`, including lines that were
// deleted since.
func (t *target) fileLines(body int32) []int32 {
	if int(body) < t.index.Classes() {
		return t.index.Places(body)
	}
	return nil
}

// frequency returns at least the number of lines with the text `body`, because it also counts deleted lines.
func (t *target) frequency(body int32) int { return len(t.fileLines(body)) + len(t.writtenOf[body]) }

func (t *target) rarest(bodies []int32) int {
	rare := 0
	for i, body := range bodies {
		if t.frequency(body) < t.frequency(bodies[rare]) {
			rare = i
		}
	}
	return rare
}

// runs yields the places at which consecutive nonblank lines have the texts `bodies`, from line `from` on and from
// top to bottom. It tries each line with the rarest of these texts. If lines repeat so often that this would take
// quadratic time, it finds all places in one pass.
func (t *target) runs(bodies []int32, from int, yield func(region) bool) {
	rare := t.rarest(bodies)
	work, next := 0, from
	t.places(bodies[rare], from+rare, func(i int) bool {
		if work > repetitive {
			return false
		}
		start, compared := t.matchUp(bodies[:rare], i)
		work += compared
		if start < from {
			return true
		}
		end, compared := t.matchDown(bodies[rare+1:], i)
		work += compared
		next = start + 1
		if end >= 0 && !yield(region{start: start, end: end}) {
			work = 0
			return false
		}
		return true
	})
	if work > repetitive {
		t.runsAtOnce(bodies, next, yield)
	}
}

// repetitive is the largest number of lines that are compared one by one. Beyond it, one pass finds all places.
const repetitive = 1 << 20

// matchUp compares the nonblank lines above line i, from bottom to top. It returns the topmost of them, or -1 if the
// texts differ.
func (t *target) matchUp(bodies []int32, i int) (start, compared int) {
	for k := len(bodies) - 1; k >= 0; k-- {
		if i = t.solidAbove(i); i < 0 || t.body(i) != bodies[k] {
			return -1, len(bodies) - k
		}
	}
	return i, len(bodies)
}

// matchDown compares the nonblank lines below line i, from top to bottom. It returns the line after them, or -1 if
// the texts differ.
func (t *target) matchDown(bodies []int32, i int) (end, compared int) {
	for k, body := range bodies {
		if i = t.solidFrom(i + 1); i >= t.count() || t.body(i) != body {
			return -1, k + 1
		}
	}
	return i + 1, len(bodies)
}

// solidAbove returns the nearest nonblank line above line i, or -1.
func (t *target) solidAbove(i int) int {
	for i--; i >= 0 && t.isBlank(i); i-- {
	}
	return i
}

// runsAtOnce is runs in time that is linear in the number of all lines.
func (t *target) runsAtOnce(bodies []int32, from int, yield func(region) bool) {
	var lines []int
	var all []int32
	for i := t.solidFrom(from); i < t.count(); i = t.solidFrom(i + 1) {
		lines, all = append(lines, i), append(all, t.body(i))
	}
	for _, k := range place.OccurrencesOf(all, bodies) {
		if !yield(region{start: lines[k], end: lines[k+len(bodies)-1] + 1}) {
			return
		}
	}
}

// A passage is the lines that a modification writes. A place must also match its blank lines and its indentation.
type passage struct {
	lines  []string
	bodies []int32
	solid  []int32 // the nonblank bodies; the first and the last line are never blank
}

func (t *target) passage(lines []string) passage {
	p := passage{lines: lines}
	for _, s := range lines {
		body := t.bodyOf(s)
		if p.bodies = append(p.bodies, body); body != t.blank {
			p.solid = append(p.solid, body)
		}
	}
	return p
}

func (p passage) count() int { return len(p.lines) }

// has reports whether a passage is at line i, which may be outside the file. It ignores white space at line ends.
func (t *target) has(p passage, i int) bool {
	if i < 0 || i+len(p.lines) > t.count() {
		return false
	}
	for k, body := range p.bodies {
		if t.body(i+k) != body || body != t.blank && leading(t.line(i+k).text) != leading(p.lines[k]) {
			return false
		}
	}
	return true
}

func leading(s string) string {
	body := strings.TrimSpace(s)
	return s[:strings.Index(s, body)]
}

// eachCompared is the cost of comparing a line of a passage, in units of the meter.
const eachCompared = 8

func (t *target) passages(p passage, from, to int, yield func(region) bool) {
	if len(p.solid) == 0 || t.frequency(p.bodies[t.rarest(p.bodies)]) == 0 {
		return
	}
	t.runs(p.solid, from, func(at region) bool {
		if at.end > to || !t.lines.Meter().Pay(eachCompared*len(p.lines)) {
			return false
		}
		return !t.has(p, at.start) || yield(region{start: at.start, end: at.start + len(p.lines)})
	})
}

// endingWith returns the texts of lines that end with s, each once, as [line.body].
func (t *target) endingWith(s string) []int32 {
	n := t.index.Classes()
	if t.endings == nil {
		t.endings = make([]int32, n)
		for i := range t.endings {
			t.endings[i] = int32(i)
		}
		slices.SortFunc(t.endings, func(a, b int32) int { return compareReversed(t.word(a), t.word(b)) })
	}
	var found []int32
	i, _ := slices.BinarySearchFunc(t.endings, s, func(body int32, s string) int { return compareReversed(t.word(body), s) })
	for ; i < n && strings.HasSuffix(t.word(t.endings[i]), s); i++ {
		found = append(found, t.endings[i])
	}
	for body := range t.writtenOf {
		if int(body) >= n && strings.HasSuffix(t.word(body), s) {
			found = append(found, body)
		}
	}
	return found
}

func compareReversed(a, b string) int {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if c := cmp.Compare(a[len(a)-i], b[len(b)-i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

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
