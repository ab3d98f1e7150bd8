package mdblock

import (
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// HostOffset is where the byte of Body at offset at is in the host. A space
// that is the rest of a tab is at the tab.
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

// BodyOffset is the converse of [Block.HostOffset]: which byte of Body is in
// the host at offset at. False for a place that is outside of Body, or in what
// was taken off a line.
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

// HostSpan is where a part of Body is in the host, prefixes between its lines
// included. One that ends with a line ending does not reach into the next line.
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

// HostEdit is an edit of Body as one edit of the host: every line that it makes
// has the prefix of the block's containers, and the closing fence keeps its own
// line, for which a missing line ending is added.
//
// The host then has the same block with the edited Body, unless the new text
// itself closes the block: that is for the caller to avoid. Edits of one list do
// not overlap in the host if they do not touch in Body.
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
	case toStart && ends: // the next line stays as it is
		start, lead := b.joinLeft(e.Span.Start)
		return text.Edit{Span: text.Span{Start: start, End: to}, New: lead + b.prefixed(e.New, false)}
	}
	start, lead := b.joinLeft(e.Span.Start)
	end, tail := b.joinRight(e)
	return b.separated(text.Edit{Span: text.Span{Start: start, End: end}, New: lead + b.prefixed(e.New, false) + tail})
}

// keepCRLF widens an edit at whose edge CR and LF meet, or met, so that it begins
// and ends where a line ending does.
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

// lineStart is where the line that begins at the offset does so in the host,
// before its prefix.
func (b Block) lineStart(at int) (host int, ok bool) {
	if l := b.lineAt(at); at == int(l.body) {
		return int(l.start), true
	}
	return b.HostOffset(at), endsLine(b.Body[:at]) && !b.inCRLF(at)
}

// joinLeft is where an edit that begins at the offset does so in the host, and
// what it must put before its text: a prefix that is not full, or is part of a
// tab, is written again.
func (b Block) joinLeft(at int) (start int, lead string) {
	l := b.lineAt(at)
	if in := at - int(l.body); in < int(l.pad) || (in == 0 && !l.full) {
		return int(l.start), b.prefix + b.Body[l.body:at]
	}
	return b.HostOffset(at), ""
}

// joinRight is where an edit that ends inside a line, or joins it to the one
// before, does so in the host, and what it must put after its text.
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

// missingEOL is the line ending that an edit up to the end of Body must add, lest
// its last line run into what follows in the host.
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

// separated begins the first line of a block whose opening fence is all that
// there is of the document's last line.
func (b Block) separated(e text.Edit) text.Edit {
	if e.New != "" && e.Span.Start == b.Open.End {
		e.New = b.eol + e.New
	}
	return e
}

// prefixed is s with the block's prefix before each of its lines, the first only
// if asked. An empty line gets no trailing white space.
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
