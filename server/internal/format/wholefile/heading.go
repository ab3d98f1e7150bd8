package wholefile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachHeading is the cost of reading a line that may be a heading, in units of the meter.
const eachHeading = 400 * meter.Line

// headings returns the deletions and renames on the lines between two offsets, in order.
func headings(doc string, from, to int, m *meter.Meter) []entry {
	var found []entry
	for line := range text.EachLine(doc[from:to]) {
		if line = line.Shift(from); mayGo(line.In(doc)) && m.Pay(eachHeading) {
			if g, ok := reply.FileGoes(line.In(doc)); ok {
				found = append(found, gone(doc, line, line, g))
			} else {
				found = append(found, asked(doc, line)...)
			}
		}
	}
	return found
}

// mayGo is a quick test that excludes most lines without a deletion or rename.
func mayGo(line string) bool {
	return strings.ContainsAny(line, "#:：*`>→") && strings.Contains(line, ".")
}

// gone returns the deletion or rename in a part of a line. The spans in g are relative to the part.
func gone(doc string, line, part text.Span, g reply.Gone) entry {
	e := entry{verb: deleted, label: g.Label && g.Heading, path: locatedIn(doc, g.From.Shift(part.Start)), at: part, line: line}
	if !g.To.Empty() {
		e.verb, e.to = renamed, locatedIn(doc, g.To.Shift(part.Start))
	}
	if !g.Label {
		e.problem = mentioned
	}
	e.open = part.End == len(doc) && !(e.label && strings.HasSuffix(part.In(doc), "`"))
	return e
}

// asked returns the deletions and renames that the sentences of a line request. Each ends at its last path, so that
// the rest of the sentence does not count as read.
func asked(doc string, line text.Span) (found []entry) {
	for _, at := range reply.Sentences(line.In(doc)) {
		at = at.Shift(line.Start)
		if g, ok := reply.AsksToGo(at.In(doc)); ok {
			e := gone(doc, line, at, g)
			last, _ := utf8.DecodeLastRuneInString(at.In(doc))
			e.inWords, e.open = true, at.End == len(doc) && !unicode.IsPunct(last)
			e.at.End = max(e.path.span.End, e.to.span.End) + len("`")
			found = append(found, e)
		}
	}
	return found
}

func locatedIn(doc string, at text.Span) located { return located{at.In(doc), at} }
