// Package place decides what became of a passage, for every format alike. A format's law says
// where a passage is; what shows that its change was made before is the same for all.
//
// All texts have LF endings; offsets are bytes of the text with LF endings.
package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Law says where a passage is.
type Law int

// The laws.
const (
	Literal    Law = iota // anywhere
	WholeLines            // where lines begin and end; the last one may lack its ending at the end of the text
)

// Find returns where a passage, which is not empty, is, also where its places lap over one
// another: so many places at most, from top to bottom.
func (l Law) Find(t *locate.Text, passage string, most int) []text.Span {
	if l == WholeLines {
		return wholeLines(t, passage, most)
	}
	var found []text.Span
	for at := t.Index(passage, 0); at >= 0 && len(found) < most; at = t.Index(passage, at+1) {
		found = append(found, text.Span{Start: at, End: at + len(passage)})
	}
	return found
}

func wholeLines(t *locate.Text, lines string, most int) []text.Span {
	want := strings.TrimSuffix(lines, "\n")
	pattern := want
	if pattern == "" {
		pattern = "\n" // one empty line
	}
	var found []text.Span
	for from := 0; len(found) < most; {
		at := t.Index(pattern, from)
		if at < 0 {
			break
		}
		from = at + 1
		span := text.Span{Start: at, End: at + len(want)}
		w := t.Window(span, 0)
		start, end := at-w.At, at-w.At+len(want)
		if start > 0 && w.Text[start-1] != '\n' || end < len(w.Text) && w.Text[end] != '\n' {
			continue
		}
		if end < len(w.Text) {
			span.End++
		} else if want == "" || strings.HasSuffix(want, "\n") {
			continue // an empty line after the last ending is no line
		}
		found = append(found, span)
	}
	return found
}

// Near returns where a passage is but for white space at the ends of lines or, if nowhere, but
// for indentation too.
func (l Law) Near(t *locate.Text, passage string) []text.Span {
	spans := t.Trailing(passage)
	if l == WholeLines {
		spans = slices.DeleteFunc(spans, func(s text.Span) bool { return !isWholeLines(t, s) })
	}
	if len(spans) > 0 {
		return spans
	}
	return t.Indented(passage)
}

// isWholeLines reports whether a span begins and ends where lines do.
func isWholeLines(t *locate.Text, span text.Span) bool {
	w := t.Window(span, 0)
	start, end := span.Start-w.At, span.End-w.At
	return (start == 0 || w.Text[start-1] == '\n') && (end == len(w.Text) || w.Text[end] == '\n' || w.Text[end-1] == '\n')
}
