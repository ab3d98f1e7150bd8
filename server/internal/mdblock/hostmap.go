package mdblock

import "strings"

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
