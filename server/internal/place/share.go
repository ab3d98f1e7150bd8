package place

import "github.com/aptix-dev/aptix/server/internal/text"

// Bare returns the text without its indexes for searches, for callers that keep many texts with mostly the same
// content. It takes no time.
func (t *Text) Bare() *Text {
	if !t.isCut.Load() {
		return NewMetered(t.String(), t.meter)
	}
	bare := newText(t.size, t.meter)
	bare.setSegments(t.segments)
	return bare
}

// Cut cuts the text into chunks, so that edited texts share its unchanged parts. A search does this, too.
func (t *Text) Cut() { t.cut() }

// Equal reports whether two texts are equal. It does not compare the parts that they share at the same offset.
func (t *Text) Equal(other *Text) bool {
	if t == other || t.size != other.size {
		return t == other
	}
	for _, d := range t.Differences(other) {
		if len(d.Old) != len(d.New) {
			return t.String() == other.String()
		}
		if d.Old != d.New {
			return false
		}
	}
	return true
}

// A Difference is some whole lines of one text, and the lines that another text may have instead.
type Difference struct {
	Old, New         string
	OldLine, NewLine int // the number of lines above the difference
}

// Differences returns the places at which the texts may differ, from top to bottom. If the texts share all but a few
// lines, these are those lines and some lines around them.
func (t *Text) Differences(other *Text) []Difference {
	if !t.isCut.Load() || !other.isCut.Load() {
		return []Difference{{Old: t.String(), New: other.String()}}
	}
	var all []Difference
	raw := func(c *chunk) string { return c.raw }
	for _, g := range gaps(t.segments, other.segments) {
		oldLine, newLine := linesOf(t.segments[:g.oldStart]), linesOf(other.segments[:g.newStart])
		old, new := chunksOf(t.segments[g.oldStart:g.oldEnd]), chunksOf(other.segments[g.newStart:g.newEnd])
		for _, c := range gaps(old, new) {
			all = append(all, Difference{join(old[c.oldStart:c.oldEnd], raw), join(new[c.newStart:c.newEnd], raw),
				oldLine + linesOf(old[:c.oldStart]), newLine + linesOf(new[:c.newStart])})
		}
	}
	return all
}

func (c *chunk) lines() int { return c.endings.all() }

func (g *segment) lines() int { return g.endings.all() }

func linesOf[T interface{ lines() int }](list []T) (n int) {
	for _, x := range list {
		n += x.lines()
	}
	return n
}

type gap struct{ oldStart, oldEnd, newStart, newEnd int }

// gaps returns the ranges between the elements that two lists share, in order. Neither list may have an element
// twice.
func gaps[T comparable](old, new []T) (all []gap) {
	at := make(map[T]int, len(new))
	for j, x := range new {
		at[x] = j
	}
	i, j := 0, 0
	add := func(oldEnd, newEnd int) {
		if i < oldEnd || j < newEnd {
			all = append(all, gap{i, oldEnd, j, newEnd})
		}
	}
	for k, x := range old {
		if m, shared := at[x]; shared && m >= j {
			add(k, m)
			i, j = k+1, m+1
		}
	}
	add(len(old), len(new))
	return all
}

// ByteAt returns the byte at a raw offset.
func (t *Text) ByteAt(at int) byte {
	s, start := t.chunksAt(text.Span{Start: at, End: at})
	return s[at-start]
}

// LinesAt returns the whole raw lines that a raw span touches, and their raw offset. An empty span touches the line
// around it.
func (t *Text) LinesAt(span text.Span) (lines string, start int) {
	s, at := t.chunksAt(span)
	from, to := span.Start-at, span.End-at
	for from > 0 && !EndsLine(s[:from], s[from:]) {
		from--
	}
	for to < len(s) && (to == from || !EndsLine(s[:to], s[to:])) {
		to++
	}
	return s[from:to], at + from
}

// chunksAt returns the chunks that a raw span touches as one text, and their raw offset. The whole text is one chunk
// if it is not cut yet.
func (t *Text) chunksAt(span text.Span) (s string, at int) {
	if !t.isCut.Load() {
		return t.String(), 0
	}
	var touched []*chunk
	offset := 0
	for _, g := range t.segments {
		if offset+g.raw < span.Start || offset > span.End {
			offset += g.raw
			continue
		}
		for _, c := range g.chunks {
			if end := offset + len(c.raw); end >= span.Start && offset <= span.End {
				if touched == nil {
					at = offset
				}
				touched = append(touched, c)
			}
			offset += len(c.raw)
		}
	}
	return join(touched, func(c *chunk) string { return c.raw }), at
}
