package locate

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Text is the text of a file for searches, with the indexes that were needed so far. It
// never changes: [Text.Apply] returns another text that shares the unchanged parts. It is
// safe for concurrent use.
//
// Offsets are bytes in the text with LF for all line endings, unless a comment says raw.
type Text struct {
	size  int          // length of the raw text
	meter *meter.Meter // pays for searches; nil if they are unlimited

	rawOnce sync.Once
	raw     string

	cutOnce sync.Once
	chunks  []*chunk
	starts  []int // the offset of each chunk, and of the end
	isCut   atomic.Bool
	sifted  atomic.Pointer[sifted] // nil until there were some searches

	lines  [2]func() *Lines // for each [Cut]
	folded func() *Folded

	searches atomic.Int32
}

// NewText returns a text for searches.
func NewText(s string) *Text { return NewMetered(s, nil) }

// NewMetered returns a text for searches. m pays for the searches in it and in the texts that
// edits make of it. Once the meter is spent, searches find nothing more.
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

// Meter returns the meter that pays for searches in the text, or nil if they are unlimited.
func (t *Text) Meter() *meter.Meter { return t.meter }

// String returns the whole text with its own line endings.
func (t *Text) String() string {
	t.rawOnce.Do(func() { t.raw = join(t.chunks, func(c *chunk) string { return c.raw }) })
	return t.raw
}

// LF returns the whole text with LF for all line endings.
func (t *Text) LF() string {
	t.meter.Pay(t.size / 2)
	return text.WithEOL(t.String(), text.LF)
}

// Lines returns the text as lines. The table is made on first use. Its offsets are raw.
func (t *Text) Lines(cut Cut) *Lines { return t.lines[cut]() }

// Folded returns the text without white space, in which look-alikes are equal.
func (t *Text) Folded() *Folded { return t.folded() }

// Len returns the length of the raw text.
func (t *Text) Len() int { return t.size }

// Apply returns the text after edits, whose spans are raw. It costs the edits and the text
// around them, and for each edit a copy of the list of chunks. Errors are those of
// [text.Apply].
func (t *Text) Apply(edits []text.Edit) (*Text, error) {
	if len(edits) == 0 {
		return t, nil
	}
	sorted, err := text.Sort(t.Len(), edits)
	if err != nil {
		return nil, err
	}
	if !t.isCut.Load() || len(sorted) > 16+len(t.chunks)/4 {
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

// edited returns the text after an edit. The text must be cut into chunks.
func (t *Text) edited(e text.Edit) *Text {
	if len(t.chunks) == 0 {
		return NewMetered(e.New, t.meter)
	}
	t.meter.Pay(chunkSize + len(t.chunks) + len(e.New))
	after := newText(t.size+len(e.New)-e.Span.Len(), t.meter)
	i, base := t.rawChunkAt(e.Span.Start)
	p := spliceOf(t.chunks, i, base, e)
	after.setChunks(slices.Concat(t.chunks[:p.from], p.fresh, t.chunks[p.to:]), p.starts(t.starts))
	if s := t.sifted.Load(); s != nil {
		after.sifted.Store(s.after(p))
	}
	after.searches.Store(t.searches.Load())
	return after
}

func (t *Text) setChunks(chunks []*chunk, starts []int) {
	t.cutOnce.Do(func() { t.chunks, t.starts = chunks, starts })
	t.isCut.Store(true)
}

func (t *Text) cut() []*chunk {
	t.cutOnce.Do(func() {
		t.chunks = cut(t.raw)
		t.starts = splice{fresh: t.chunks}.starts([]int{0})
		t.isCut.Store(true)
	})
	return t.chunks
}

// chunkAt returns the index of the chunk that has the byte at an offset. For the end of the text,
// it returns the number of chunks.
func (t *Text) chunkAt(offset int) int {
	return sort.Search(len(t.chunks), func(i int) bool { return offset < t.starts[i+1] })
}

// Index returns the offset of the first occurrence of pattern from an offset on, or -1. The
// pattern must not be empty and must have LF endings.
func (t *Text) Index(pattern string, from int) int {
	found := -1
	t.each(pattern, from, func(at int) bool { found = at; return false })
	return found
}

// Contains reports whether pattern occurs.
func (t *Text) Contains(pattern string) bool { return pattern == "" || t.Index(pattern, 0) >= 0 }

// All returns up to most offsets of pattern from an offset on, from left to right without
// overlap.
func (t *Text) All(pattern string, from, most int) []int {
	var found []int
	t.each(pattern, from, func(at int) bool {
		found = append(found, at)
		return len(found) < most
	})
	return found
}

// Count counts the occurrences of pattern from an offset on, without overlap.
func (t *Text) Count(pattern string, from int) int {
	n := 0
	t.each(pattern, from, func(int) bool { n++; return true })
	return n
}

// hasSieve reports whether the text has sieves: it must be large, and must have been searched
// often enough.
func (t *Text) hasSieve() bool { return t.searches.Load() > fewSearches && t.size >= minSieve }

// each calls yield with the places of pattern from an offset on, until yield returns false
// or the meter is spent.
func (t *Text) each(pattern string, from int, yield func(at int) bool) {
	t.searches.Add(1)
	chunks := t.cut()
	if !t.meter.Pay(meter.Line + len(pattern)/8 + len(chunks)) {
		return
	}
	s := search{newNeedle(pattern), from, yield, t.meter}
	var sifted *sifted
	var masks []uint64
	if t.hasSieve() {
		ok := false
		sifted = t.sieves()
		if masks, ok = sifted.masks(s.needle); !ok {
			return
		}
	}
	for i := t.chunkAt(from); i < len(chunks); i++ {
		may := true
		if masks != nil {
			slot := sifted.slots[i]
			may = masks[slot/64]>>(slot%64)&1 != 0
		}
		if may && !s.in(chunks[i], t.starts[i]) || len(s.heads) > 0 && !s.over(chunks[i], t.starts[i+1], chunks[i+1:]) {
			return
		}
	}
}

// rawChunkAt returns the chunk that has the byte at a raw offset, and the raw offset of that chunk.
// For the end of the text, it returns the last chunk. There must be at least one chunk.
func (t *Text) rawChunkAt(offset int) (i, base int) {
	last := len(t.chunks) - 1
	if t.starts[last+1] == t.size { // all endings are LF
		i = min(t.chunkAt(offset), last)
		return i, t.starts[i]
	}
	for i < last && base+len(t.chunks[i].raw) <= offset {
		base += len(t.chunks[i].raw)
		i++
	}
	return i, base
}

// sieves returns the sieves of the text and makes them on first use.
func (t *Text) sieves() *sifted {
	if t.sifted.Load() == nil {
		t.sifted.CompareAndSwap(nil, sift(t.cut()))
	}
	return t.sifted.Load()
}

// EOL returns the ending of most lines; see [text.DominantEOL].
func (t *Text) EOL() text.EOL {
	var total endings
	for _, c := range t.cut() {
		for i, n := range c.endings {
			total[i] += n
		}
	}
	most := max(total[0], total[1], total[2])
	if most == 0 {
		return text.None
	}
	for _, c := range t.chunks {
		if eol := c.firstOf(func(i int) bool { return total[i] == most }); eol != text.None {
			return eol
		}
	}
	return text.None
}

// LineAt returns the line of an offset, from 1.
func (t *Text) LineAt(offset int) int {
	chunks := t.cut()
	t.meter.Pay(meter.Line + len(chunks))
	i := t.chunkAt(offset)
	line := 1 + linesOf(chunks[:i])
	if i < len(chunks) {
		line += strings.Count(chunks[i].lf[:offset-t.starts[i]], "\n")
	}
	return line
}

// LineCount counts the lines, including a last line without an ending.
func (t *Text) LineCount() int {
	chunks := t.cut()
	count := linesOf(chunks)
	if len(chunks) > 0 && !strings.HasSuffix(chunks[len(chunks)-1].lf, "\n") {
		count++
	}
	return count
}

// LineStart returns the offset of a line, counted from 0. For a line after the last, it
// returns the end of the text.
func (t *Text) LineStart(line int) int {
	base := 0
	for _, c := range t.cut() {
		if n := c.endings.all(); n < line {
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
	return base
}

// LineAtRaw returns the line, from 1, of an offset of the raw text.
func (t *Text) LineAtRaw(offset int) int {
	chunks := t.cut()
	if len(chunks) == 0 {
		return 1
	}
	i, base := t.rawChunkAt(offset)
	return 1 + linesOf(chunks[:i]) + strings.Count(text.WithEOL(chunks[i].raw[:offset-base], text.LF), "\n")
}
