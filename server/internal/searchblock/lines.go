package searchblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lines is a text, or a part of one, cut into lines. They count from 0, and all spans are
// bytes of Body.
type Lines struct {
	Body   string
	Starts []int // offset of each line, and the end of the last one
}

// Split cuts a text into lines.
func Split(body string) Lines { return Within(body, text.Span{End: len(body)}) }

// Within cuts a part of a text into lines.
func Within(body string, part text.Span) Lines {
	l := Lines{Body: body, Starts: []int{part.Start}}
	for at := part.Start; at < part.End; {
		_, at = text.LineEnd(body[:part.End], at)
		l.Starts = append(l.Starts, at)
	}
	return l
}

// Count returns the number of lines.
func (l Lines) Count() int { return len(l.Starts) - 1 }

// Span returns the lines from one up to, but not including, another, with their endings.
func (l Lines) Span(from, to int) text.Span {
	from, to = min(from, l.Count()), min(to, l.Count())
	return text.Span{Start: l.Starts[from], End: l.Starts[max(from, to)]}
}

// At returns the span of a line without its ending.
func (l Lines) At(i int) text.Span {
	if i >= l.Count() {
		end := l.Starts[l.Count()]
		return text.Span{Start: end, End: end}
	}
	end, _ := text.LineEnd(l.Body[:l.Starts[i+1]], l.Starts[i])
	return text.Span{Start: l.Starts[i], End: end}
}

// Text returns a line without its ending.
func (l Lines) Text(i int) string { return l.At(i).In(l.Body) }

// Mark returns the mark on a line.
func (l Lines) Mark(i int) mdblock.Mark { return mdblock.MarkOf(l.Text(i)) }

// Blank reports whether a line has white space only.
func (l Lines) Blank(i int) bool { return strings.TrimSpace(l.Text(i)) == "" }

// EOL returns the ending of the first line.
func (l Lines) EOL() string {
	if ending := l.Span(0, 1).In(l.Body)[l.At(0).Len():]; ending != "" {
		return ending
	}
	return "\n"
}
