package place

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Window is some consecutive whole lines of a text. Offsets are relative to the field Text.
type Window struct {
	Text string // with LF endings
	At   int    // the offset of Text in the whole text

	raw   string
	rawAt int
	whole *Text
}

// Window returns the lines around a span, with at least `margin` bytes and one whole line on each side.
func (t *Text) Window(span text.Span, margin int) Window {
	return t.window(span, func(before, after string) (bool, bool) {
		return len(before) > margin && strings.Count(before, "\n") > 1, len(after) > margin && strings.Count(after, "\n") > 1
	})
}

func (t *Text) windowOfLines(at, n int) Window {
	return t.window(text.Span{Start: at, End: at}, func(before, after string) (bool, bool) {
		return strings.Count(before, "\n") > n, strings.Count(after, "\n") > n
	})
}

// window returns the lines of the chunks that a span touches. It adds chunks on each side until `enough` returns
// true for this side.
func (t *Text) window(span text.Span, enough func(before, after string) (bool, bool)) Window {
	segments := t.cut()
	w := Window{whole: t}
	first := 0
	for first < len(segments)-1 && w.At+segments[first].lf <= span.Start {
		w.At += segments[first].lf
		w.rawAt += segments[first].raw
		first++
	}
	last := min(first+1, len(segments))
	for {
		found, up, down := w.within(chunksOf(segments[first:last]), span, enough)
		up, down = up && first > 0, down && last < len(segments)
		if !up && !down {
			return found
		}
		if up {
			first--
			w.At -= segments[first].lf
			w.rawAt -= segments[first].raw
		}
		if down {
			last++
		}
	}
}

// within returns the lines of some chunks as a window. The window w begins at the first chunk. `up` and `down`
// report whether more chunks are needed on each side.
func (w Window) within(chunks []*chunk, span text.Span, enough func(before, after string) (bool, bool)) (found Window, up, down bool) {
	if len(chunks) == 0 {
		return w, false, false
	}
	i, j, start, end := touched(chunks, func(c *chunk) int { return len(c.lf) }, span.Shift(-w.At))
	end += w.At
	w.At += start
	for _, c := range chunks[:i] {
		w.rawAt += len(c.raw)
	}
	for end >= span.End {
		w.Text = join(chunks[i:j+1], func(c *chunk) string { return c.lf })
		w.whole.meter.Pay(meter.Line + len(w.Text))
		before, after := enough(w.Text[:span.Start-w.At], w.Text[span.End-w.At:])
		up, down = !before && i == 0, !after && j == len(chunks)-1
		if (before || up) && (after || down) {
			break
		}
		if !before && i > 0 {
			i--
			w.At -= len(chunks[i].lf)
			w.rawAt -= len(chunks[i].raw)
		}
		if !after && j < len(chunks)-1 {
			j++
		}
	}
	w.raw = join(chunks[i:j+1], func(c *chunk) string { return c.raw })
	return w, up, down || end < span.End
}

// Whole returns the window of all lines.
func (t *Text) Whole() Window { return Window{Text: t.LF(), raw: t.String(), whole: t} }

// Line returns the number of the line, from 1, that contains an offset of the window.
func (w Window) Line(offset int) int { return w.whole.LineAt(w.At + offset) }

// EOL returns the kind of line ending that most lines of the whole text have.
func (w Window) EOL() text.EOL { return w.whole.EOL() }

// Raw returns a converter from spans of the window to raw spans. The spans must be in ascending order.
func (w Window) Raw() *Raw { return &Raw{w: w, same: w.raw == w.Text} }

// A Raw converts spans of a window to spans of the whole raw text.
type Raw struct {
	w       Window
	same    bool // the raw text is the same as Text
	at, raw int  // the same place in Text and in the raw text
}

// Span converts a span of the window to a span of the raw text, and also returns the raw text in that span.
func (r *Raw) Span(span text.Span) (text.Span, string) {
	start, end := r.offset(span.Start), r.offset(span.End)
	return text.Span{Start: start, End: end}.Shift(r.w.rawAt), r.w.raw[start:end]
}

// offset returns a raw offset in the window, which is never between CR and LF.
func (r *Raw) offset(at int) int {
	if r.same {
		return at
	}
	for r.at < at {
		i := strings.IndexByte(r.w.raw[r.raw:], '\r')
		if i < 0 || r.at+i >= at {
			r.raw += at - r.at
			r.at = at
			break
		}
		r.at, r.raw = r.at+i+1, r.raw+i+1
		if strings.HasPrefix(r.w.raw[r.raw:], "\n") {
			r.raw++
		}
	}
	return r.raw
}
