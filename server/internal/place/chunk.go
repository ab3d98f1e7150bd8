package place

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A chunk is some consecutive lines of a text. Except at the end of the text, it ends at a line ending, never
// between CR and LF.
type chunk struct {
	raw, lf string
	endings endings
}

const chunkSize = 4 << 10

// endings counts the line endings of each kind, in the order of eols.
type endings [3]int

var eols = [...]text.EOL{text.LF, text.CRLF, text.CR}

func (e endings) plus(other endings, times int) endings {
	for i, n := range other {
		e[i] += times * n
	}
	return e
}

func newChunk(raw string) *chunk {
	c := &chunk{raw: raw, lf: raw}
	c.endings[0] = strings.Count(raw, "\n")
	if cr := strings.Count(raw, "\r"); cr > 0 {
		crlf := strings.Count(raw, "\r\n")
		c.endings = endings{c.endings[0] - crlf, crlf, cr - crlf}
		c.lf = text.WithEOL(raw, text.LF)
	}
	return c
}

func (e endings) all() int { return e[0] + e[1] + e[2] }

// firstOf returns the kind of the first line ending in the chunk for which `wanted` returns true. `wanted` gets an
// index of eols.
func (c *chunk) firstOf(wanted func(i int) bool) text.EOL {
	for i, n := range c.endings {
		if n == 0 || !wanted(i) {
			continue
		}
		for at := 0; ; {
			end, next := text.LineEnd(c.raw, at)
			if eol := text.EOL(c.raw[end:next]); wanted(slices.Index(eols[:], eol)) {
				return eol
			}
			at = next
		}
	}
	return text.None
}

// cut splits a text into chunks. Apart from long lines and the end of the text, each has between chunkSize and
// 2*chunkSize bytes, so that a small edit does not split it.
func cut(s string) []*chunk {
	chunks := make([]*chunk, 0, 1+len(s)/chunkSize)
	for at := 0; at < len(s); {
		next := len(s)
		if at+2*chunkSize < len(s) {
			_, next = text.LineEnd(s, at+chunkSize)
		}
		chunks = append(chunks, newChunk(s[at:next]))
		at = next
	}
	return chunks
}

func join(chunks []*chunk, part func(*chunk) string) string {
	if len(chunks) == 1 {
		return part(chunks[0])
	}
	n := 0
	for _, c := range chunks {
		n += len(part(c))
	}
	var b strings.Builder
	b.Grow(n)
	for _, c := range chunks {
		b.WriteString(part(c))
	}
	return b.String()
}

type splice struct {
	from, to int // the indexes [from, to) of the replaced chunks
	fresh    []*chunk
	added    string // the text that the new chunks add to the first replaced chunk

	text        string
	needsBefore bool // whether the last chunk of the segment before must be replaced, too, because it may end with CR
}

// needsAfter reports whether the first chunk of the next segment must be replaced, too.
func (p splice) needsAfter(chunks []*chunk, next []*segment) bool {
	return p.to == len(chunks) && len(next) > 0 && !fits(p.text, next[0].chunks[0].raw)
}

func (p splice) apply(chunks []*chunk) []*chunk {
	return slices.Concat(chunks[:p.from], p.fresh, chunks[p.to:])
}

// spliceOf returns the splice for an edit, whose span is raw. There must be at least one chunk.
func spliceOf(chunks []*chunk, e text.Edit) splice {
	i, j, base, end := touched(chunks, func(c *chunk) int { return len(c.raw) }, e.Span)
	s := chunks[i].raw[:e.Span.Start-base] + e.New + chunks[j].raw[len(chunks[j].raw)-(end-e.Span.End):]
	added := near(s, e.Span.Start-base, len(e.New))
	if i > 0 && strings.HasPrefix(s, "\n") && strings.HasSuffix(chunks[i-1].raw, "\r") {
		i--
		s = chunks[i].raw + s
	}
	first := i + 1
	for j < len(chunks)-1 && !fits(s, chunks[j+1].raw) {
		j++
		s += chunks[j].raw
	}
	if j+1 > first {
		added = s
	}
	return splice{i, j + 1, cut(s), text.WithEOL(added, text.LF), s, i == 0 && strings.HasPrefix(s, "\n")}
}

// touched returns the indexes of the first and the last part that a span touches, and the offsets at which these two
// begin and end. There must be at least one part.
func touched[T any](parts []T, size func(T) int, span text.Span) (first, last, start, end int) {
	for first < len(parts)-1 && start+size(parts[first]) <= span.Start {
		start += size(parts[first])
		first++
	}
	last, end = first, start+size(parts[first])
	for last < len(parts)-1 && end < span.End {
		last++
		end += size(parts[last])
	}
	return first, last, start, end
}

func fits(s, next string) bool { return len(s) >= chunkSize/2 && EndsLine(s, next) }

// near returns `size` bytes of s from the offset `at`, with enough bytes on both sides to complete every gram that
// overlaps them, even if a CRLF becomes one byte.
func near(s string, at, size int) string {
	const margin = 2 * gramSize
	return s[max(0, at-margin):min(len(s), at+size+margin)]
}

// EndsLine reports whether s is empty or ends with a line ending. A final CR is only a part of a line ending if `next`
// begins with LF.
func EndsLine(s, next string) bool {
	switch {
	case strings.HasSuffix(s, "\n"):
		return true
	case strings.HasSuffix(s, "\r"):
		return !strings.HasPrefix(next, "\n")
	}
	return s == ""
}

// A segment is one or more consecutive chunks of a text. It never changes, so edited texts share the segments that
// the edits do not touch.
type segment struct {
	chunks  []*chunk
	raw, lf int // raw and LF sizes in bytes
	endings endings
	slots   []uint8 // the bit of each chunk in the sieve
	made    atomic.Pointer[sieve]
}

// segmentSize is the initial number of chunks in a segment. Edits can double it.
const segmentSize = 64

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

// count adds the sizes and line endings of the chunks, multiplied by `times`, which is -1 to subtract them.
func (g *segment) count(chunks []*chunk, times int) {
	for _, c := range chunks {
		g.raw += times * len(c.raw)
		g.lf += times * len(c.lf)
		g.endings = g.endings.plus(c.endings, times)
	}
}

func (g *segment) sieve() *sieve {
	if s := g.made.Load(); s != nil {
		return s
	}
	g.made.CompareAndSwap(nil, newSieve(g))
	return g.made.Load()
}

// splicedBy returns the segment after a splice. The new segment shares the sieve of g, and its new chunks get the slot
// of the first replaced chunk.
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

// spliced returns the segments of the text after an edit, whose span is raw. There must be at least one segment.
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
			return slices.Concat(segments[:first], resegmented(segments[first:last+1], chunks, p), segments[last+1:])
		}
	}
}

// resegmented splices the chunks of the given segments, and returns the new segments.
func resegmented(segments []*segment, chunks []*chunk, p splice) []*segment {
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
