package locate

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A chunk is a sequence of a text's lines. Each chunk but the last of a text ends at a line
// ending, never between CR and LF.
type chunk struct {
	raw, lf string
	endings endings
}

const chunkSize = 4 << 10

// endings counts line endings by their index in eols.
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

// firstOf returns the first line ending in the chunk for which wanted returns true. wanted gets
// the ending's index in eols.
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

// cut splits a text into chunks of chunkSize to twice as many bytes, so that small edits do
// not split them.
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

// A splice replaces some chunks by fresh ones.
type splice struct {
	from, to int // the replaced chunks
	fresh    []*chunk
	added    string // the text that the fresh chunks add to the first replaced one, with LF endings

	text        string // the text of the fresh chunks
	needsBefore bool   // the first chunk is replaced in such a way that the chunk before it must be replaced, too
}

// needsAfter reports whether a splice replaces the last chunk in such a way that the next one
// must be replaced, too.
func (p splice) needsAfter(chunks []*chunk, next []*segment) bool {
	return p.to == len(chunks) && len(next) > 0 && !fits(p.text, next[0].chunks[0].raw)
}

// apply returns the chunks after the splice.
func (p splice) apply(chunks []*chunk) []*chunk {
	return slices.Concat(chunks[:p.from], p.fresh, chunks[p.to:])
}

// spliceOf returns the splice for an edit with a raw span. There must be at least one
// chunk.
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

// touched returns the first and the last of some parts of a text that a span touches, and the
// offsets at which these parts begin and end. There must be at least one part.
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

// fits reports whether s can form chunks before next.
func fits(s, next string) bool { return len(s) >= chunkSize/2 && EndsLine(s, next) }

// near returns some bytes of s with enough text around them to contain every gram that overlaps
// them. CRLF counts as one byte.
func near(s string, at, size int) string {
	const margin = 2 * gramSize
	return s[max(0, at-margin):min(len(s), at+size+margin)]
}

// EndsLine reports whether a chunk can end after s, before next. An empty chunk cannot.
func EndsLine(s, next string) bool {
	switch {
	case strings.HasSuffix(s, "\n"):
		return true
	case strings.HasSuffix(s, "\r"):
		return !strings.HasPrefix(next, "\n")
	}
	return s == ""
}
