package place

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Text is the text of a file for searches, with the indexes that searches needed so far. It never changes:
// [Text.Apply] returns another text that shares the unchanged parts. It is safe for concurrent use.
//
// Unless a comment says raw, offsets are bytes in the text with LF for all line endings.
type Text struct {
	size  int          // in raw bytes
	meter *meter.Meter // is charged for searches; nil if they are unlimited

	rawOnce sync.Once
	raw     string

	cutOnce  sync.Once
	segments []*segment
	isCut    atomic.Bool

	lines  [2]func() *Lines // one for each [Cut]
	folded func() *Folded

	searches atomic.Int32
}

// NewText returns a text with unlimited searches.
func NewText(s string) *Text { return NewMetered(s, nil) }

// NewMetered returns a text whose searches are charged to the meter m, also after edits. Once the meter is spent,
// searches find nothing more.
func NewMetered(s string, m *meter.Meter) *Text {
	t := newText(len(s), m)
	t.rawOnce.Do(func() { t.raw = s })
	return t
}

func newText(size int, m *meter.Meter) *Text {
	t := &Text{size: size, meter: m}
	for cut := range t.lines {
		t.lines[cut] = sync.OnceValue(func() *Lines { return NewLines(t.String(), Cut(cut), m) })
	}
	t.folded = sync.OnceValue(func() *Folded { return Fold(t.LF(), m) })
	return t
}

// Meter returns the meter that is charged for searches, or nil.
func (t *Text) Meter() *meter.Meter { return t.meter }

// String returns the raw text.
func (t *Text) String() string {
	t.rawOnce.Do(func() { t.raw = join(chunksOf(t.segments), func(c *chunk) string { return c.raw }) })
	return t.raw
}

// LF returns the text with LF for all line endings.
func (t *Text) LF() string {
	t.meter.Pay(t.size / 2)
	return text.WithEOL(t.String(), text.LF)
}

// Lines returns the table of the text's lines. Its offsets are those of the file's bytes.
func (t *Text) Lines(cut Cut) *Lines { return t.lines[cut]() }

// Folded returns the text without white space, in which characters that look alike are the same.
func (t *Text) Folded() *Folded { return t.folded() }

func (t *Text) Len() int { return t.size }

// Apply returns the text after edits, whose spans are raw. It costs as much as the edits and the text around them,
// plus a scan of the list of segments for each edit. Errors are those of [text.Apply].
func (t *Text) Apply(edits []text.Edit) (*Text, error) {
	if len(edits) == 0 {
		return t, nil
	}
	sorted, err := text.Sort(t.Len(), edits)
	if err != nil {
		return nil, err
	}
	if !t.isCut.Load() || len(sorted) > 1+len(t.segments)*segmentSize/4 {
		s, err := text.Apply(t.String(), sorted)
		t.meter.Pay(len(s) / 2)
		after := NewMetered(s, t.meter)
		after.searches.Store(t.searches.Load())
		return after, err
	}
	after := t
	for i := len(sorted) - 1; i >= 0; i-- {
		after = after.edited(sorted[i])
	}
	return after, nil
}

// edited applies one edit. The text must be cut into chunks.
func (t *Text) edited(e text.Edit) *Text {
	if len(t.segments) == 0 {
		return NewMetered(e.New, t.meter)
	}
	t.meter.Pay(chunkSize + len(t.segments) + len(e.New))
	after := newText(t.size+len(e.New)-e.Span.Len(), t.meter)
	after.setSegments(spliced(t.segments, e))
	after.searches.Store(t.searches.Load())
	return after
}

func (t *Text) setSegments(segments []*segment) {
	t.cutOnce.Do(func() { t.segments = segments })
	t.isCut.Store(true)
}

func (t *Text) cut() []*segment {
	t.cutOnce.Do(func() {
		t.segments = segmentsOf(cut(t.raw))
		t.isCut.Store(true)
	})
	return t.segments
}

// Index returns the offset of the first occurrence of `pattern` that does not begin before `from`, or -1. The
// pattern must not be empty and must have LF endings.
func (t *Text) Index(pattern string, from int) int {
	found := -1
	t.each(pattern, from, func(at int) bool { found = at; return false })
	return found
}

// Contains reports whether the text contains pattern, which must have LF endings.
func (t *Text) Contains(pattern string) bool { return pattern == "" || t.Index(pattern, 0) >= 0 }

// All returns at most `most` offsets of `pattern`, in order and without overlap.
func (t *Text) All(pattern string, most int) []int {
	var found []int
	t.each(pattern, 0, func(at int) bool {
		found = append(found, at)
		return len(found) < most
	})
	return found
}

// hasSieve reports whether the text is large enough for sieves and was searched often enough.
func (t *Text) hasSieve() bool { return t.searches.Load() > fewSearches && t.size >= minSieve }

// each calls `yield` with the places of `pattern` that do not begin before `from`, until `yield` returns false or
// the meter is spent.
func (t *Text) each(pattern string, from int, yield func(at int) bool) {
	t.searches.Add(1)
	segments := t.cut()
	if !t.meter.Pay(meter.Line + len(pattern)/8 + len(segments)) {
		return
	}
	s := search{newNeedle(pattern), from, yield, t.hasSieve(), t.meter}
	if s.sieved && rulesOut(segments, s.needle) {
		return
	}
	base := 0
	for i, g := range segments {
		mask := s.mask(g, base)
		if mask == 0 && len(s.heads) == 0 || s.from >= base+g.lf {
			base += g.lf
			continue
		}
		for k, c := range g.chunks {
			if mask>>g.slots[k]&1 != 0 && !s.inside(c, base) {
				return
			}
			if base += len(c.lf); !s.across(c, base, g.chunks[k+1:], segments[i+1:]) {
				return
			}
		}
	}
}

// EOL returns the kind of line ending that most lines have, as [text.DominantEOL] does.
func (t *Text) EOL() text.EOL {
	var total endings
	for _, g := range t.cut() {
		total = total.plus(g.endings, 1)
	}
	most := max(total[0], total[1], total[2])
	if most == 0 {
		return text.None
	}
	wanted := func(i int) bool { return total[i] == most }
	for _, g := range t.segments {
		for _, c := range g.chunks {
			if eol := c.firstOf(wanted); eol != text.None {
				return eol
			}
		}
	}
	return text.None
}

// LineAt returns the number of the line, from 1, that contains an offset.
func (t *Text) LineAt(offset int) int {
	t.meter.Pay(meter.Line + len(t.cut()))
	return t.lineAt(offset, func(g *segment) int { return g.lf }, func(c *chunk) string { return c.lf })
}

// LineAtRaw returns the number of the line, from 1, that contains an offset of the raw text.
func (t *Text) LineAtRaw(offset int) int {
	return t.lineAt(offset, func(g *segment) int { return g.raw }, func(c *chunk) string { return c.raw })
}

// lineAt returns the number of the line that contains an offset. `size` and `part` return what offsets count: the
// length of a segment, and the text of a chunk.
func (t *Text) lineAt(offset int, size func(*segment) int, part func(*chunk) string) int {
	line, base := 1, 0
	for _, g := range t.cut() {
		if base+size(g) < offset {
			line += g.endings.all()
			base += size(g)
			continue
		}
		for _, c := range g.chunks {
			s := part(c)
			if base+len(s) >= offset {
				return line + strings.Count(text.WithEOL(s[:offset-base], text.LF), "\n")
			}
			line += c.endings.all()
			base += len(s)
		}
	}
	return line
}

// LineCount returns the number of lines, including a last line without an ending.
func (t *Text) LineCount() int {
	end := t.LineAtRaw(t.size)
	if t.size == 0 || strings.IndexByte("\r\n", t.ByteAt(t.size-1)) >= 0 {
		end-- // the last line ending has no line after it
	}
	return end
}

// LineStart returns the offset of a line, counted from 0, or the end of the text for a line after the last.
func (t *Text) LineStart(line int) int {
	base := 0
	for _, g := range t.cut() {
		if n := g.endings.all(); n < line {
			line, base = line-n, base+g.lf
			continue
		}
		for _, c := range g.chunks {
			n := c.endings.all()
			if n < line {
				line, base = line-n, base+len(c.lf)
				continue
			}
			for at := 0; ; line-- {
				if line == 0 {
					return base + at
				}
				at += strings.IndexByte(c.lf[at:], '\n') + 1
			}
		}
	}
	return base
}
