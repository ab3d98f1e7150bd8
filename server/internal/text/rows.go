package text

import (
	"strings"
)

// Rows is a text, or a part of a text, cut into lines. Lines count from 0. If the text ends with a line ending, there
// is no empty last line. All spans count bytes of Body.
type Rows struct {
	Body   string
	Starts []int // the offset of each line, and the end of the last line
}

// RowsOf cuts a text into lines.
func RowsOf(body string) Rows { return RowsIn(body, Span{End: len(body)}) }

// RowsIn cuts a part of a text into lines.
func RowsIn(body string, part Span) Rows {
	l := Rows{Body: body, Starts: []int{part.Start}}
	for at := part.Start; at < part.End; {
		_, at = LineEnd(body[:part.End], at)
		l.Starts = append(l.Starts, at)
	}
	return l
}

// Count returns the number of lines.
func (l Rows) Count() int { return len(l.Starts) - 1 }

// Span returns the span of the lines [from, to), with their endings.
func (l Rows) Span(from, to int) Span {
	from, to = min(from, l.Count()), min(to, l.Count())
	return Span{l.Starts[from], l.Starts[max(from, to)]}
}

// Raw returns a line with its ending, or "" after the last line.
func (l Rows) Raw(i int) string { return l.Span(i, i+1).In(l.Body) }

// At returns the span of a line without its ending.
func (l Rows) At(i int) Span {
	at := l.Span(i, i+1)
	at.End = at.Start + len(TrimEOL(at.In(l.Body)))
	return at
}

// Text returns a line without its ending.
func (l Rows) Text(i int) string { return l.At(i).In(l.Body) }

// Blank reports whether a line is empty or consists of white space.
func (l Rows) Blank(i int) bool { return strings.TrimSpace(l.Raw(i)) == "" }

// EOL returns the ending of the first line.
func (l Rows) EOL() string { return FirstEOL(l.Raw(0)) }

// IndentedAs reports whether the line of a tag is indented, and every nonblank line of the text `inner` below it begins
// with the same indentation. If so, the indentation may come from an item of a list, so the text may be read without
// it. IndentedAs returns false if all lines below are blank.
func IndentedAs(body string, tag int, inner Span) bool {
	line := body[strings.LastIndexAny(body[:tag], "\r\n")+1:]
	indentation := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if indentation == "" || !strings.ContainsAny(strings.TrimSpace(body[tag:inner.Start])+inner.In(body), "\n") {
		return false
	}
	said := false
	for i, line := range SplitLines(inner.In(body)) {
		if blank := strings.TrimSpace(line) == ""; blank || i == 0 && inner.Start > 0 && body[inner.Start-1] != '\n' {
			continue
		}
		if said = strings.HasPrefix(line, indentation); !said {
			return false
		}
	}
	return said
}

// IsBlank reports whether s is empty or consists of white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Indentation returns the spaces and tabs at the start of a line.
func Indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// FirstIndentation returns the indentation of the first nonblank line, or "" if all lines are blank.
func FirstIndentation(lines []string) string {
	return Indentation(Find(lines, func(line string) bool { return !IsBlank(line) }))
}

// LeastIndentation returns the length in bytes of the shortest indentation of a nonblank line, or 0 if all lines are
// blank.
func LeastIndentation(lines []string) int {
	least := -1
	for _, line := range lines {
		if n := len(Indentation(line)); !IsBlank(line) && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}
