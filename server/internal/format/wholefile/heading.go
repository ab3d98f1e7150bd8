package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachHeading is the cost of reading a line that may be a heading, in units of the meter.
const eachHeading = 400 * meter.Line

// headings returns the deletions and renames that lines between two offsets announce, in order.
func headings(doc string, from, to int, m *meter.Meter) []entry {
	part := doc[from:to]
	var found []entry
	for at := 0; at < len(part); {
		end, next := text.LineEnd(part, at)
		if line := (text.Span{Start: from + at, End: from + end}); mayGo(line.In(doc)) && m.Pay(eachHeading) {
			if e, ok := heading(doc, line); ok {
				found = append(found, e)
			}
		}
		at = next
	}
	return found
}

// mayGo is a quick test. It returns false for most lines that announce no deletion or renaming.
func mayGo(line string) bool {
	return strings.ContainsAny(line, "#:：*`>→") && strings.Contains(line, ".")
}

func heading(doc string, line text.Span) (entry, bool) {
	g, ok := reply.FileGoes(line.In(doc))
	e := entry{verb: deleted, label: g.Label && g.Heading, path: locatedIn(doc, g.From.Shift(line.Start)), at: line, line: line}
	if !g.To.Empty() {
		e.verb, e.to = renamed, locatedIn(doc, g.To.Shift(line.Start))
	}
	if !g.Label {
		e.problem = mentioned
	}
	e.open = line.End == len(doc) && !(e.label && strings.HasSuffix(line.In(doc), "`"))
	return e, ok
}

func locatedIn(doc string, at text.Span) located { return located{at.In(doc), at} }
