package ap

import (
	"iter"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A directive is a line of the patch that begins with the patch's ID, together with the lines
// below it, up to the next directive (rules A5 to A7). All spans are bytes of the body.
type directive struct {
	line    text.Span // the line, without its ending
	id      text.Span
	word    text.Span // the keyword as written; empty if there is none
	keyword string    // the intended keyword; "" if unknown
	args    text.Span // span of the text after the keyword, without the white space around it
	below   text.Span // span of the whole lines up to the next directive
}

// eachLine iterates over the lines of s, without their endings.
func eachLine(s string) iter.Seq[text.Span] {
	return func(yield func(text.Span) bool) {
		for at := 0; at < len(s); {
			lineEnd, next := text.LineEnd(s, at)
			if !yield(text.Span{Start: at, End: lineEnd}) {
				return
			}
			at = next
		}
	}
}

// lex splits body after the offset from into directives of the patch id. If END is a
// directive of the version, nothing after it is read (rule A8).
func lex(body, id string, from int, v version) []directive {
	ds := make([]directive, 0, 1+strings.Count(body[from:], "\n"+id))
	for line := range eachLine(body[from:]) {
		line = line.Shift(from)
		if !isDirective(line.In(body), id) {
			continue
		}
		if len(ds) > 0 {
			ds[len(ds)-1].below.End = line.Start
		}
		d := readDirective(body, line, len(id))
		ds = append(ds, d)
		if d.keyword == kwEnd && v == v32 {
			break
		}
	}
	return ds
}

// isDirective reports whether a line begins with the ID. The line counts even if a letter or a
// digit follows the ID, because the ID must not occur in content.
func isDirective(line, id string) bool { return id != "" && strings.HasPrefix(line, id) }

func readDirective(body string, line text.Span, idLen int) directive {
	d := directive{line: line, id: text.Span{Start: line.Start, End: line.Start + idLen}}
	rest := text.Span{Start: d.id.End, End: line.End}.In(body)
	start := d.id.End + len(rest) - len(strings.TrimLeft(rest, " \t"))
	rest = strings.TrimRight(body[start:line.End], " \t")
	var n int
	d.keyword, n = meant(rest)
	d.word = text.Span{Start: start, End: start + n}
	args := strings.TrimLeft(rest[n:], " \t")
	d.args = text.Span{Start: start + len(rest) - len(args), End: start + len(rest)}
	_, next := text.LineEnd(body, line.End)
	d.below = text.Span{Start: next, End: len(body)}
	return d
}

// A value is the text below a directive, without the blank lines around it.
type value struct {
	at    text.Span // span from the first line to the last one, without its ending; empty if the value is empty
	lines []string  // the lines without their endings
	spans []text.Span
}

// trimmed returns the value that consists of the whole lines in a span of the body.
func trimmed(body string, span text.Span) value {
	v := value{at: text.Span{Start: span.Start, End: span.Start}}
	for line := range eachLine(span.In(body)) {
		v.spans = append(v.spans, line.Shift(span.Start))
	}
	for len(v.spans) > 0 && isBlank(v.spans[0].In(body)) {
		v.spans = v.spans[1:]
	}
	for len(v.spans) > 0 && isBlank(v.spans[len(v.spans)-1].In(body)) {
		v.spans = v.spans[:len(v.spans)-1]
	}
	if len(v.spans) == 0 {
		return v
	}
	v.at = text.Span{Start: v.spans[0].Start, End: v.spans[len(v.spans)-1].End}
	for _, s := range v.spans {
		v.lines = append(v.lines, s.In(body))
	}
	return v
}

func (v value) empty() bool { return len(v.lines) == 0 }

func (v value) String() string { return strings.Join(v.lines, "\n") }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
