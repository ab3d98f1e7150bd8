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
