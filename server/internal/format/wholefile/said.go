package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/pathline"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// formerly matches words that say that a text is a former content of a file.
var formerly = lazyregexp.New(`(?i)\b(?:before|old|original|originally|current|currently|was|existing|previous|previously|instead|today|now has|so far)\b`)

// said returns an entry whose path is named only by a sentence above the fence, or by a
// heading above that sentence. The files decide whether it is one (rule W15).
func said(doc string, from int, above text.Span) entry {
	sentence := above.In(doc)
	at, ok := pathline.Only(sentence)
	if !ok {
		return entry{path: located{path: headingPath(doc, from, above)}, said: true}
	}
	if formerly.MatchString(sentence) {
		return entry{}
	}
	e := entry{path: located{path: at.In(sentence)}, said: true}
	if saysCreate.MatchString(sentence) || reply.Asks(sentence, reply.Create) {
		e.verb = created
	}
	return e
}

// headingPath returns the path of a heading above a line that names no path and ends in a
// colon, or "".
func headingPath(doc string, from int, above text.Span) string {
	if line := above.In(doc); !strings.HasSuffix(strings.TrimRight(line, " \t*"), ":") || formerly.MatchString(line) {
		return ""
	}
	heading := reply.LineAbove(doc, from, above.Start).In(doc)
	at, _, _, ok := pathLine(heading)
	if !ok || formerly.MatchString(heading) {
		return ""
	}
	return at.In(heading)
}

// proven leaves out the entries that only a sentence names, unless the fence contains most
// of the file, including both ends. Beside another edit of the file, it may be a listing of
// the file before or after that edit. For a new file, only the sentence shows that it is an
// edit: such an entry is kept, and causes an error beside other edits.
func proven(found []entry, d format.Document) []entry {
	files := map[string][]string{}
	var kept []entry
	for _, e := range found {
		if e.said {
			seen := look(e, d, files)
			lines := files[clean(e.path.path)]
			switch {
			case isNamed(found, d, e) || seen.file && (!seen.alike || !hasEnds(lines, e.fence.Body)):
				continue
			case seen.file:
				e.verb = shown
			case e.verb != created || !local(e.path.path):
				continue
			default:
				e.problem = unlabelled
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// isNamed reports whether another entry, or a block of another format, is for the file.
func isNamed(found []entry, d format.Document, of entry) bool {
	for _, e := range found {
		if !e.said && clean(e.path.path) == clean(of.path.path) {
			return true
		}
	}
	return slices.ContainsFunc(d.Claimed, func(s text.Span) bool { return strings.Contains(s.In(d.Text), of.path.path) })
}

// nearEnd is the number of lines at each end of a long file of which one suffices, because
// an edit may have changed the others.
const nearEnd = 3

// hasEnds reports whether a text contains the first of some lines, and the last one, or
// lines near them.
func hasEnds(lines []string, body string) bool {
	n := max(1, min(nearEnd, len(lines)/8))
	first, last := false, false
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		first = first || slices.Contains(lines[:n], line)
		last = last || slices.Contains(lines[len(lines)-n:], line)
	}
	return first && last
}
