package locate

import "github.com/aptix-dev/aptix/server/internal/text"

// Bare returns the text without its indexes for searches. It serves to keep a text that shares
// most of its content with others. It takes no time.
func (t *Text) Bare() *Text {
	if !t.isCut.Load() {
		return NewMetered(t.String(), t.meter)
	}
	bare := newText(t.size, t.meter)
	bare.setChunks(t.chunks, t.starts)
	bare.sifted.Store(t.sifted.Load())
	return bare
}

// Cut prepares the text so that edited texts share its unchanged parts. A search does that,
// too.
func (t *Text) Cut() { t.cut() }

// Equal reports whether two texts are equal. It does not compare shared parts that are at
// the same offset in both.
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

// A Difference is a run of whole lines of one text, and the lines that another text may have in
// their place. Both are raw.
type Difference struct {
	Old, New         string
	OldLine, NewLine int // the number of lines before them
}

// Differences returns the places at which another text may differ, from top to bottom. If the
// texts share all but a few lines, it returns those lines and some lines around them.
func (t *Text) Differences(other *Text) []Difference {
	if !t.isCut.Load() || !other.isCut.Load() {
		return []Difference{{Old: t.String(), New: other.String()}}
	}
	old, new := t.chunks, other.chunks
	at := make(map[*chunk]int, len(new))
	for j, c := range new {
		at[c] = j
	}
	var all []Difference
	raw := func(c *chunk) string { return c.raw }
	i, j, oldLine, newLine := 0, 0, 0, 0 // what is done of both texts
	end := func(oldEnd, newEnd int) {
		if i < oldEnd || j < newEnd {
			all = append(all, Difference{join(old[i:oldEnd], raw), join(new[j:newEnd], raw), oldLine, newLine})
		}
		oldLine, newLine = oldLine+linesOf(old[i:oldEnd]), newLine+linesOf(new[j:newEnd])
		i, j = oldEnd, newEnd
	}
	for k, c := range old {
		if m, shared := at[c]; shared && m >= j {
			end(k, m)
			i, j, oldLine, newLine = k+1, m+1, oldLine+c.endings.all(), newLine+c.endings.all()
		}
	}
	end(len(old), len(new))
	return all
}

func linesOf(chunks []*chunk) (n int) {
	for _, c := range chunks {
		n += c.endings.all()
	}
	return n
}

// ByteAt returns the byte at a raw offset within the text.
func (t *Text) ByteAt(at int) byte {
	if !t.isCut.Load() {
		return t.String()[at]
	}
	i, base := t.rawChunkAt(at)
	return t.chunks[i].raw[at-base]
}

// LinesAt returns the whole raw lines that a raw span touches, at least the line that it
// begins in. at is the raw offset of the lines.
func (t *Text) LinesAt(span text.Span) (lines string, at int) {
	var s string
	if t.isCut.Load() {
		s, at = t.chunksAt(span)
	} else {
		s = t.String()
	}
	from, to := span.Start-at, span.End-at
	for from > 0 && !EndsLine(s[:from], s[from:]) {
		from--
	}
	for to < len(s) && (to == from || !EndsLine(s[:to], s[to:])) {
		to++
	}
	return s[from:to], at + from
}

// chunksAt joins the chunks that a raw span touches. They consist of whole lines.
func (t *Text) chunksAt(span text.Span) (s string, at int) {
	var touched []*chunk
	offset := 0
	for _, c := range t.chunks {
		if end := offset + len(c.raw); end >= span.Start && offset <= span.End {
			if touched == nil {
				at = offset
			}
			touched = append(touched, c)
		}
		offset += len(c.raw)
	}
	return join(touched, func(c *chunk) string { return c.raw }), at
}
