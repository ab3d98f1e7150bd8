package ap

import (
	"slices"
	"strings"
)

// holds reports whether a claim can be true although its snippet still occurs.
func (p *proof) holds(c *claim) bool {
	if _, ok := p.boundary(c.job); ok {
		p.sure = p.sure || len(c.content) > 0
		return true
	}
	if c.action == kwInsertAfter || c.action == kwInsertBefore {
		return p.holdsInsertion(c)
	}
	left, ok := p.leftFor(c)
	switch {
	case !ok:
		if len(solidLines(c.content)) > 0 {
			p.lone = append(p.lone, *c)
		}
		p.several = p.several || len(solidLines(c.content)) > 1
		return true
	case left.prefix != "": // the exact place is gone, and only a line that ends with the snippet is left
		c.other = left
		p.sure, p.doubtful = p.sure || len(c.content) > 0, p.doubtful || len(c.content) == 0
		return true
	case !c.anchored, len(c.content) > 0 && left.start < c.at.start:
		return false
	}
	p.doubtful = true
	c.other = left
	if len(c.content) == 0 {
		return p.leavesBlock(c.scope, left)
	}
	_, special := p.doneBefore(c.job, c.scope, left)
	p.sure = p.sure || special
	return true
}

// holdsInsertion does the same as holds for an insertion, which keeps its snippet. The snippet's
// place counts even if another modification wrote it.
func (p *proof) holdsInsertion(c *claim) bool {
	free := p.remain(c).free
	n := len(free)
	first := n > 0 && free[0] == c.where
	i, found := slices.BinarySearchFunc(free, c.where.start, func(at region, start int) int { return at.start - start })
	if isPlace := c.where.end > c.where.start; isPlace && !(found && free[i] == c.where) {
		n, first = n+1, i == 0
	}
	ok := n == 1 || c.of > 1 && n == c.left
	switch {
	case c.changed:
		ok = n == 0 || c.kept && n == 1
	case c.anchored:
		ok = first
	}
	p.sure = p.sure || ok
	return ok
}

// cover records for each line which modification wrote it.
func (p *proof) cover() {
	p.owner = make([]int, p.t.count())
	for _, c := range p.claims {
		if len(c.content) == 0 {
			continue
		}
		for i := c.at.start; i < c.at.end && p.owner[i] == 0; i++ {
			p.owner[i] = c.number
		}
	}
}

// leftFor returns the first place at which the snippet of a REPLACE or DELETE still occurs. The
// patch must not have written all of its lines, and no other modification may have written one of
// them.
func (p *proof) leftFor(c *claim) (region, bool) {
	for _, o := range p.remain(c).open {
		if o.by == 0 || o.by == c.number {
			return o.region, true
		}
	}
	return region{}, false
}

// A remains holds the places of a snippet in the result of the patch.
type remains struct {
	starts []int // the first lines of the exact places
	exact  occurrences
	soft   *occurrences // the other places; nil until they are needed
}

// An occurrences holds the places of a snippet, sorted by the lines that the patch wrote.
type occurrences struct {
	open []occurrence
	free []region // places of which the patch wrote no line
}

// An occurrence is a place with some lines that the patch did not write. by is the modification
// that wrote the other lines; 0 if none did, -1 if several did.
type occurrence struct {
	region
	by int
}

// remain returns the places of a claim's snippet in its scope. It searches for each snippet only
// once. If there is no exact place, places count whose first line only ends with the snippet's
// first line.
func (p *proof) remain(c *claim) occurrences {
	s := p.search(c.job, kwSnippet)
	s.written = true
	key := strings.Join(s.l.lines, "\n")
	m := p.remains[key]
	if m == nil {
		m = &remains{}
		p.remains[key] = m
		s.exact(0, func(at region) bool { m.starts = append(m.starts, at.start); p.sort(at, &m.exact); return true })
	}
	if i, _ := slices.BinarySearch(m.starts, c.from); i < len(m.starts) {
		return m.exact.from(c.from)
	}
	if m.soft == nil {
		m.soft = &occurrences{}
		s.soft(0, func(at region) bool { p.sort(at, m.soft); return true })
	}
	return m.soft.from(c.from)
}

// sort adds a place to the list to which it belongs.
func (p *proof) sort(at region, o *occurrences) {
	isOpen, by := false, 0
	for i := at.start; i < at.end; i++ {
		switch owner := p.owner[i]; {
		case p.t.isBlank(i):
		case owner == 0:
			isOpen = true
		case by != 0 && by != owner:
			by = -1
		default:
			by = owner
		}
	}
	if isOpen {
		o.open = append(o.open, occurrence{at, by})
	}
	if isOpen && by == 0 {
		o.free = append(o.free, at)
	}
}

// from returns the places at a line or below it.
func (o occurrences) from(line int) occurrences {
	open, _ := slices.BinarySearchFunc(o.open, line, func(o occurrence, line int) int { return o.start - line })
	free, _ := slices.BinarySearchFunc(o.free, line, func(at region, line int) int { return at.start - line })
	return occurrences{o.open[open:], o.free[free:]}
}
