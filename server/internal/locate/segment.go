package locate

import (
	"slices"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A segment is a run of at least one consecutive chunk of a text. It never changes. Edited texts
// share the segments that the edits do not touch, and a search skips a whole segment that does
// not have the needle.
type segment struct {
	chunks  []*chunk
	raw, lf int // sizes in bytes
	endings endings
	slots   []uint8 // the bit of each chunk in the sieve
	made    atomic.Pointer[sieve]
}

// segmentSize is the initial number of chunks in a segment. Edits may double it.
const segmentSize = 64

// segmentsOf groups the chunks of a text.
func segmentsOf(chunks []*chunk) []*segment {
	segments := make([]*segment, 0, 1+len(chunks)/segmentSize)
	for group := range slices.Chunk(chunks, segmentSize) {
		slots := make([]uint8, len(group))
		for i := range slots {
			slots[i] = uint8(i)
		}
		g := &segment{chunks: group, slots: slots}
		g.count(group, 1)
		segments = append(segments, g)
	}
	return segments
}

// count adds the sizes and endings of some chunks, multiplied by times.
func (g *segment) count(chunks []*chunk, times int) {
	for _, c := range chunks {
		g.raw += times * len(c.raw)
		g.lf += times * len(c.lf)
		g.endings = g.endings.plus(c.endings, times)
	}
}

// sieve returns the sieve of the segment and makes it on first use.
func (g *segment) sieve() *sieve {
	if s := g.made.Load(); s != nil {
		return s
	}
	g.made.CompareAndSwap(nil, newSieve(g))
	return g.made.Load()
}

// splicedBy returns the segment after a splice of its chunks. Fresh chunks take the slot of the first
// replaced chunk. Both segments share the sieve.
func (g *segment) splicedBy(p splice) *segment {
	slot := g.slots[p.from]
	slots := slices.Concat(g.slots[:p.from], slices.Repeat([]uint8{slot}, len(p.fresh)), g.slots[p.to:])
	after := &segment{chunks: p.apply(g.chunks), slots: slots, raw: g.raw, lf: g.lf, endings: g.endings}
	after.count(g.chunks[p.from:p.to], -1)
	after.count(p.fresh, 1)
	if s := g.made.Load(); s != nil {
		s.add(slot, p.added)
		after.made.Store(s)
	}
	return after
}

// spliced returns the segments after an edit with a raw span. There must be at least one.
func spliced(segments []*segment, e text.Edit) []*segment {
	first, last, base, _ := touched(segments, func(g *segment) int { return g.raw }, e.Span)
	for {
		chunks := chunksOf(segments[first : last+1])
		p := spliceOf(chunks, text.Edit{Span: e.Span.Shift(-base), New: e.New})
		switch {
		case p.needsBefore && first > 0:
			first--
			base -= segments[first].raw
		case p.needsAfter(chunks, segments[last+1:]):
			last++
		default:
			return slices.Concat(segments[:first], replaced(segments[first:last+1], chunks, p), segments[last+1:])
		}
	}
}

// replaced returns the segments after a splice of all their chunks.
func replaced(segments []*segment, chunks []*chunk, p splice) []*segment {
	if len(segments) == 1 && len(p.fresh) > 0 && len(chunks)+len(p.fresh) <= 2*segmentSize {
		return []*segment{segments[0].splicedBy(p)}
	}
	return segmentsOf(p.apply(chunks))
}

func chunksOf(segments []*segment) []*chunk {
	if len(segments) == 1 {
		return segments[0].chunks
	}
	var chunks []*chunk
	for _, g := range segments {
		chunks = append(chunks, g.chunks...)
	}
	return chunks
}
