package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// headings returns the deletions and renames between two offsets, in order.
func headings(doc string, from, to int) []entry {
	part := doc[from:to]
	var found []entry
	for at := 0; at < len(part); {
		end, next := text.LineEnd(part, at)
		if e, ok := heading(doc, text.Span{Start: from + at, End: from + end}); ok {
			found = append(found, e)
		}
		at = next
	}
	return found
}

func heading(doc string, line text.Span) (entry, bool) {
	if s := line.In(doc); !strings.ContainsAny(s, "#:：*`>→") || !strings.Contains(s, ".") {
		return entry{}, false
	}
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
