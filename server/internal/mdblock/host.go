package mdblock

import (
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// HostOffset converts an offset in Body to an offset in the host. If the byte in Body is a space
// that stands for the rest of a tab, the result is the offset of that tab.
func (b Block) HostOffset(at int) int {
	at = min(max(at, 0), len(b.Body))
	if b.lines == nil {
		return b.Span.Start + at
	}
	l := b.lineAt(at)
	if in := at - int(l.body); in < int(l.pad) {
		return int(l.host) - 1
	}
	return int(l.host) + at - int(l.body) - int(l.pad)
}

// BodyOffset converts an offset in the host to an offset in Body. It returns false if the offset is outside of Body, or
// in the prefix of a line, which is not part of Body.
func (b Block) BodyOffset(at int) (int, bool) {
	if b.lines == nil {
		at -= b.Span.Start
		return at, at >= 0 && at <= len(b.Body)
	}
	i := sort.Search(len(b.lines), func(i int) bool { return int(b.lines[i].start) > at })
	if i == 0 {
		return 0, false
	}
	l := b.lines[i-1]
	body := int(l.body) + int(l.pad) + at - int(l.host)
	return body, at >= int(l.host) && body <= len(b.Body)
}

// HostSpan converts a span of Body to a span of the host. The result includes the prefixes between its lines. If the
// span ends with a line ending, the result does not include the prefix of the next line.
func (b Block) HostSpan(s text.Span) text.Span {
	start := b.HostOffset(s.Start)
	if s.End <= s.Start {
		return text.Span{Start: start, End: start}
	}
	return text.Span{Start: start, End: b.HostOffset(s.End-1) + 1}
}

func (b Block) lineAt(at int) line {
	i := sort.Search(len(b.lines), func(i int) bool { return int(b.lines[i].body) > at })
	return b.lines[i-1]
}

// HostEdit converts an edit of Body to an edit of the host. Every new line gets the prefix of the
// block's containers. The closing fence keeps its own line: if necessary, HostEdit adds a line ending
// before it.
//
// After the edit, the host has the same block with the edited Body, unless the new text itself closes the block. The
// caller must prevent that. If the edits of a list do not touch in Body, they do not overlap in the host.
func (b Block) HostEdit(e text.Edit) text.Edit {
	if b.lines == nil {
		return text.Edit{Span: e.Span.Shift(b.Span.Start), New: e.New}
	}
	e = b.keepCRLF(e)
	from, fromStart := b.lineStart(e.Span.Start)
	to, toStart := b.lineStart(e.Span.End)
	switch ends := endsLine(e.New); {
	case fromStart && toStart && (ends || e.New == ""):
		return b.separated(text.Edit{Span: text.Span{Start: from, End: to}, New: b.prefixed(e.New, true)})
	case toStart && ends:
		start, lead := b.joinLeft(e.Span.Start)
		return text.Edit{Span: text.Span{Start: start, End: to}, New: lead + b.prefixed(e.New, false)}
	}
	start, lead := b.joinLeft(e.Span.Start)
	end, tail := b.joinRight(e)
	return b.separated(text.Edit{Span: text.Span{Start: start, End: end}, New: lead + b.prefixed(e.New, false) + tail})
}

// keepCRLF widens an edit to the whole line ending if the edit begins or ends between a CR and an LF, or would join the
// two.
func (b Block) keepCRLF(e text.Edit) text.Edit {
	behind := e.New + b.Body[e.Span.End:min(e.Span.End+1, len(b.Body))]
	if s := e.Span.Start; s > 0 && b.Body[s-1] == '\r' && (b.inCRLF(s) || strings.HasPrefix(behind, "\n")) {
		e.Span.Start--
		e.New = "\r" + e.New
	}
	if n := e.Span.End; n < len(b.Body) && b.Body[n] == '\n' && (b.inCRLF(n) || strings.HasSuffix(e.New, "\r")) {
		e.Span.End++
		e.New += "\n"
	}
	return e
}

func (b Block) inCRLF(at int) bool {
	return at > 0 && at < len(b.Body) && b.Body[at-1] == '\r' && b.Body[at] == '\n'
}

// lineStart converts the start of a line in Body to the start of the line in the host, before its prefix.
// It returns false for any other offset.
func (b Block) lineStart(at int) (host int, ok bool) {
	if l := b.lineAt(at); at == int(l.body) {
		return int(l.start), true
	}
	return b.HostOffset(at), endsLine(b.Body[:at]) && !b.inCRLF(at)
}

// joinLeft returns the host offset of an edit that starts at `at` in Body, and the text to write before the new text.
// In front of the body's text, a line of the host may have a prefix, such as `> `. If the line lacks a part of its
// prefix, or the prefix ends inside a tab, the edit also replaces the prefix, and `lead` is the whole prefix and the
// content before `at`. Otherwise `lead` is "".
func (b Block) joinLeft(at int) (start int, lead string) {
	l := b.lineAt(at)
	if in := at - int(l.body); in < int(l.pad) || (in == 0 && !l.full) {
		return int(l.start), b.prefix + b.Body[l.body:at]
	}
	return b.HostOffset(at), ""
}

// joinRight returns where an edit ends in the host, and the text to write after the new text. The edit must end inside
// a line, or join two lines.
func (b Block) joinRight(e text.Edit) (end int, tail string) {
	at := e.Span.End
	if at == len(b.Body) && b.lines[len(b.lines)-1].last {
		return b.HostOffset(at), b.missingEOL(e)
	}
	if endsLine(e.New) {
		tail = b.prefix
	}
	l := b.lineAt(at)
	if rest := int(l.body) + int(l.pad) - at; rest > 0 {
		return int(l.host), tail + strings.Repeat(" ", rest)
	}
	return b.HostOffset(at), tail
}

// missingEOL returns the line ending that an edit at the end of Body must add, or "". Without the ending, the host's
// text after Body would continue the last line.
func (b Block) missingEOL(e text.Edit) string {
	last := e.New
	if last == "" {
		last = b.Body[:e.Span.Start]
	}
	if last == "" || endsLine(last) || b.atEnd {
		return ""
	}
	return b.eol
}

// separated adds a line ending before the first line of a block, if the opening fence is the last
// line of the document and has no line ending.
func (b Block) separated(e text.Edit) text.Edit {
	if e.New != "" && e.Span.Start == b.Open.End {
		e.New = b.eol + e.New
	}
	return e
}

// prefixed returns s with the block's prefix before each line. The first line gets the prefix only if `first` is true.
// An empty line gets no trailing white space.
func (b Block) prefixed(s string, first bool) string {
	if b.prefix == "" {
		return s
	}
	var out strings.Builder
	for i, l := range text.SplitLines(s) {
		switch {
		case i == 0 && !first:
		case text.TrimEOL(l) == "":
			out.WriteString(strings.TrimRight(b.prefix, " "))
		default:
			out.WriteString(b.prefix)
		}
		out.WriteString(l)
	}
	return out.String()
}

func endsLine(s string) bool {
	return s != "" && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r')
}

// A line maps a line of Body to its place in the host, the document that has the block. Consecutive lines without a
// prefix share one entry of the map.
//
// The last entry has no content. It maps the end of Body, after the last line ending, where a line can be appended.
type line struct {
	body  int32 // offset in Body
	start int32 // offset of the line in the host, before its prefix
	host  int32 // offset, in the host, of the line's first byte that is also in Body
	// the number of spaces at the start of the line in Body that stand for a part of a tab; the tab itself is before
	// host, and its other columns belong to the prefix
	pad  uint8
	full bool // the prefix is complete: white space inserted at the start of the line belongs to Body
	last bool // the line maps the end of Body
}

func (l line) flat() bool { return l.full && l.start == l.host }

// A hostMap builds the Body of a block and the map of its lines, row by row.
type hostMap struct {
	doc        string
	lines      []line
	start, end int             // the span of Body in doc, if Body is literally a part of doc
	copied     strings.Builder // Body, once it is no longer literally a part of doc
	unended    bool            // the last row has no line ending
}

func (m *hostMap) add(w row) {
	m.unended = w.end == w.next
	l := line{body: int32(m.len()), start: int32(w.start), host: int32(w.text), pad: uint8(w.pad), full: w.full}
	if w.pad > 0 {
		l.host++
	}
	if n := len(m.lines); n == 0 || !l.flat() || !m.lines[n-1].flat() {
		m.lines = append(m.lines, l)
	}
	switch {
	case m.copied.Len() == 0 && m.start == m.end && w.pad == 0: // this is the first row
		m.start, m.end = w.text, w.next
	case m.copied.Len() == 0 && m.end == w.text && w.pad == 0:
		m.end = w.next
	default:
		if m.copied.Len() == 0 {
			m.copied.WriteString(m.doc[m.start:m.end])
		}
		m.copied.WriteString(strings.Repeat(" ", w.pad))
		m.copied.WriteString(m.doc[l.host:w.next])
	}
}

func (m *hostMap) len() int {
	if n := m.copied.Len(); n > 0 {
		return n
	}
	return m.end - m.start
}

// finish returns Body and the map of its lines. `at` is the offset in the host at which a line can be appended to Body.
func (m *hostMap) finish(at int) (string, []line) {
	body := m.doc[m.start:m.end]
	if m.copied.Len() > 0 {
		body = m.copied.String()
	}
	if !m.unended {
		m.lines = append(m.lines, line{body: int32(len(body)), start: int32(at), host: int32(at), last: true})
	}
	return body, m.lines
}
