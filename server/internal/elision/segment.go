package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A segment holds the lines of a text between two elisions, or between an elision and an end of the text.
type segment struct {
	from, to     int // the lines of the text
	lines        []string
	class        []int32 // equal lines of the file and the text have the same class; a new line has the class -1
	above, below bool    // whether an elision comes before the segment, or after it
	free         bool    // the elisions next to the segment are assumed, and may stand for no lines at all
	// whether blank lines separate the segment from the elision above or below it
	blankAbove, blankBelow bool
	// The number of new lines above the segment's first line that is also in the file, and below its last. Each is 0 if
	// no elision is on that side.
	lead, trail int
	indent      int32 // the least indentation of the segment's lines
	open        [3]int32

	places []site // possible places, ordered by p and then q
	whole  bool   // the file has the segment verbatim at each of the places
	fixed  bool   // the place is certain, so places contains only this place
}

// A site is a range of lines [p,q) of the file that a segment replaces.
type site struct {
	p, q int32
	// How many lines of this range the segment keeps; -1 if they were not counted, because another range that starts
	// at p is far better.
	kept int32
}

// above returns the i-th line of the file above a place, counted from 0.
func (at site) above(i int32) int32 { return at.p - 1 - i }

// below returns the i-th line of the file below a place, counted from 0.
func (at site) below(i int32) int32 { return at.q + i }

func (s *segment) deleted(at site) int32  { return at.q - at.p - at.kept }
func (s *segment) inserted(at site) int32 { return int32(len(s.lines)) - at.kept }

// total returns the number of lines that the segment deletes and inserts at a place. If kept is -1, the result is a
// lower bound.
func (s *segment) total(at site) int32 {
	if at.kept < 0 {
		return at.q - at.p - int32(len(s.lines))
	}
	return s.deleted(at) + s.inserted(at)
}

// cost returns the cost of the change at a place. A deleted line costs as much as four inserted lines.
func (s *segment) cost(at site) int64 {
	return 4*int64(s.deleted(at)) + int64(s.inserted(at))
}

func (s *segment) first() int { return s.lead }
func (s *segment) end() int   { return len(s.lines) - s.trail }

// firstAt and endAt return the start and the end of the segment's lines that are not new, if its place begins, or
// ends, with a line of the given class.
func (s *segment) firstAt(class int32) int {
	return max(s.lead, s.lead+slices.Index(s.class[s.lead:], class))
}

func (s *segment) endAt(class int32) int {
	for i := s.end(); i > s.lead; i-- {
		if s.class[i-1] == class {
			return i
		}
	}
	return s.end()
}

// content holds the lines of a text with their sorts.
type content struct {
	lines []string // without the white space at their ends
	class []int32
	sorts []Sort // the sort of each new line; the sort of a line that the file has is [Text]
}

func newContent(b *base, s string) *content {
	t := place.NewLines(s, place.AfterEOL, nil)
	c := &content{lines: make([]string, t.Count()), class: make([]int32, t.Count()), sorts: make([]Sort, t.Count())}
	own := map[string]bool{} // the trimmed lines that may be elisions; true if the file has the line
	for i := range c.lines {
		c.lines[i] = place.TrailingSpace.Fold(t.Line(i))
		c.class[i] = b.index.Class(c.lines[i])
		if c.class[i] < 0 {
			if c.sorts[i] = SortOf(c.lines[i]); c.sorts[i] != Text {
				own[strings.TrimSpace(c.lines[i])] = false
			}
		}
	}
	if len(own) == 0 {
		return c
	}
	for _, line := range b.lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		} else if _, asked := own[line]; asked {
			own[line] = true
		}
	}
	for i, line := range c.lines {
		if c.sorts[i] != Text && own[strings.TrimSpace(line)] {
			c.sorts[i] = Text
		}
	}
	return c
}

// elisions reports for each line of a text whether the line stands for omitted lines of the file. A comment that only
// mentions an omission stands for lines if it is between two lines that are not adjacent in the file.
func (c *content) elisions(b *base) []bool {
	out := make([]bool, len(c.lines))
	for i, sort := range c.sorts {
		out[i] = sort == Elision && !c.isBody(b, i) || sort == Worded && c.isBetween(b, i)
	}
	return out
}

// isBody reports whether line i has only dots and is the body of a new function in Python. The file must have no line
// like the first line of that function, or all such lines must end in dots.
func (c *content) isBody(b *base, i int) bool {
	if i == 0 || strings.TrimSpace(c.lines[i]) != "..." || c.class[i-1] >= 0 || !strings.HasSuffix(c.lines[i-1], ":") || indentOf(c.lines[i]) <= indentOf(c.lines[i-1]) {
		return false
	}
	return !slices.ContainsFunc(b.lines, func(line string) bool {
		return b.file.Meter().Pay(cell) && !strings.HasSuffix(line, "...") && isLike(line, c.lines[i-1])
	})
}

// possible returns true for the same lines as elisions does, and also for comments that may be elisions in unknown
// words.
func (c *content) possible(b *base) []bool {
	out := c.elisions(b)
	for i, sort := range c.sorts {
		out[i] = out[i] || sort != Text && c.isAlone(i)
	}
	return out
}

// isAlone reports whether the neighbors of a line are lines of the file, elisions or the ends of the text.
func (c *content) isAlone(i int) bool {
	above, below := c.neighbor(i, -1), c.neighbor(i, +1)
	return (above < 0 || c.class[above] >= 0 || c.sorts[above] >= Worded) &&
		(below == len(c.lines) || c.class[below] >= 0 || c.sorts[below] >= Worded)
}

// isBetween reports whether line i can stand for lines of the file between its neighbors. A single line, or lines
// that begin with an older form of the comment, are not enough, because the comment may be meant to replace them. It
// returns false for a line that isAlone rejects.
func (c *content) isBetween(b *base, i int) bool {
	above, below := c.neighbor(i, -1), c.neighbor(i, +1)
	atTop, atEnd := above < 0, below == len(c.lines)
	switch {
	case !c.isAlone(i), atTop && atEnd:
		return false
	case atTop:
		return c.class[below] < 0 || c.leavesLines(b, i, b.first, c.class[below], +1)
	case atEnd:
		return c.class[above] < 0 || c.leavesLines(b, i, b.last-1, c.class[above], -1)
	case c.class[above] < 0 || c.class[below] < 0, !text.HasWord(c.lines[above]) && !text.HasWord(c.lines[below]):
		return true // brackets are adjacent at many places, so they prove nothing
	}
	return !slices.ContainsFunc(b.index.Places(c.class[above]), func(at int32) bool {
		next := b.next(int(at)+1, +1)
		return b.has(next) && !c.leavesLines(b, i, next, c.class[below], +1)
	})
}

// leavesLines reports whether line i can stand for lines of the file: those from line `from`, in the direction of
// `step`, up to a line of the class `end`.
func (c *content) leavesLines(b *base, i, from int, end int32, step int) bool {
	if b.index.ClassOf(from) == end || isLike(b.lines[from], c.lines[i]) {
		return false
	}
	second := b.next(from+step, step)
	return !b.has(second) || b.index.ClassOf(second) != end
}

// neighbor returns the next nonblank line in the direction of step, otherwise -1 or the number of lines.
func (c *content) neighbor(i, step int) int {
	for i += step; i >= 0 && i < len(c.lines) && c.lines[i] == ""; i += step {
	}
	return i
}

// next returns the first nonblank line of the file at or after line i, in the direction of `step`. It is outside the
// file if there is none.
func (b *base) next(i, step int) int {
	for b.has(i) && b.lines[i] == "" {
		i += step
	}
	return i
}

func (b *base) has(i int) bool { return i >= 0 && i < len(b.lines) }

// split cuts a text into segments at its elisions. Blank lines next to an elision do not belong to any segment.
func (c *content) split(elided []bool) []*segment {
	var out []*segment
	above := false
	for i := 0; i < len(c.lines); {
		if elided[i] || c.lines[i] == "" {
			above = above || elided[i]
			i++
			continue
		}
		from, to := i, i+1
		for ; i < len(c.lines) && !elided[i]; i++ {
			if c.lines[i] != "" {
				to = i + 1
			}
		}
		s := &segment{from: from, to: to, above: above, below: i < len(c.lines)}
		s.blankAbove, s.blankBelow = above && c.lines[from-1] == "", s.below && to < i
		s.take(c.lines[from:to], c.class[from:to])
		out = append(out, s)
		above = false
	}
	return out
}

func (s *segment) take(lines []string, class []int32) {
	s.lines, s.class = lines, class
	s.indent, s.open = indentOf(""), [3]int32{}
	for _, line := range lines {
		s.indent = min(s.indent, indentOf(line))
		text.Brackets(&s.open, line)
	}
}
