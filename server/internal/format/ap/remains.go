package ap

import (
	"slices"
	"strings"
)

// holds reports whether the remaining snippets are consistent with a claim.
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
	case left.prefix != "": // the exact place was changed
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

// holdsInsertion is holds for an insertion, which keeps its snippet. The place counts even
// if another modification wrote it.
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

// cover records the modification whose content each line is.
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

// leftFor returns the first remaining place of the snippet of a REPLACE or DELETE: some of
// its lines are not content, and it contains no other modification's content.
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
	starts []int // of the exact ones
	exact  occurrences
	soft   *occurrences // nil until it is needed
}

// An occurrences value holds places that the patch did not write as a whole.
type occurrences struct {
	open []occurrence
	free []region // places without any written line
}

// An occurrence is a place with lines that the patch did not write. by is the modification
// that wrote the others; 0 for none, -1 for several.
type occurrence struct {
	region
	by int
}

// remain returns the places of a claim's snippet in its scope. It searches for each snippet
// once. If there is no exact place, places whose first line only ends with the snippet's
// count.
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

// sort adds a place to its list.
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

// from returns the places from a line on.
func (o occurrences) from(line int) occurrences {
	open, _ := slices.BinarySearchFunc(o.open, line, func(o occurrence, line int) int { return o.start - line })
	free, _ := slices.BinarySearchFunc(o.free, line, func(at region, line int) int { return at.start - line })
	return occurrences{o.open[open:], o.free[free:]}
}
