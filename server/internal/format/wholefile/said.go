package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// proven leaves out entries whose file only a sentence names, unless the fence contains most of the
// file, including both ends. If another edit changes the file, the fence may only show the file
// before or after that edit. For a new file, nothing but the sentence shows that the entry is an
// edit. Such an entry is kept, and is an error next to other edits.
func proven(found []entry, d format.Document) []entry {
	files := map[string][]string{}
	var kept []entry
	for _, e := range found {
		if (e.problem == several || e.problem == firstLine || e.problem == mentioned || e.problem == endless) && !e.isShown(look(e, d, files), d) {
			continue
		}
		if e.said {
			seen := look(e, d, files)
			lines := files[clean(e.path.path)]
			content, isText := reply.FileText(d.Tree, e.path.path)
			switch {
			case isNamed(found, d, e) || seen.same && len(d.Claimed) > 0:
				continue
			case seen.file && (seen.parts || seen.alike && hasEnds(lines, e.text())):
				e.verb = shown
			case isText && e.isPartOf(content, d):
				e.verb, e.isPart = shown, true
			case isText && e.mayBeWhole(content, lines):
				if e.verb = shown; e.problem == fine {
					e.problem = spoken
				}
			case seen.file:
				continue
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

// isPartOf reports whether the fence contains a part of its file. The place of the text in the file
// and the words above the fence must show this. A text that the file has already is usually a
// quotation.
func (e entry) isPartOf(content string, d format.Document) bool {
	if e.asks == reply.Contents || e.asks == reply.Nothing && !e.partOnly || !d.Meter.Pay(meter.Line*strings.Count(content, "\n")) {
		return false
	}
	switch r := elision.Guess(locate.NewLines(content, locate.AfterEOL, d.Meter), e.text()); r.State {
	case elision.Asks:
		return e.asks != reply.Add || !r.Removes()
	case elision.Certain:
		// The file already has the text. If there is another edit, the fence is therefore a
		// quotation.
		return e.asks != reply.Nothing && len(d.Claimed) == 0
	}
	return false
}

// mayBeWhole reports whether the fence may contain the whole new text of its file. The sentence
// must say so, or the sentence must introduce a text that has at least half as many lines as the
// present file.
func (e entry) mayBeWhole(content string, lines []string) bool {
	isLong := 2*len(doubt.Telling(e.text())) >= len(lines)
	if e.partOnly || e.asks != reply.Contents && !(e.asks == reply.Shows && isLong) {
		return false
	}
	return !strings.Contains(content, strings.TrimSpace(e.text())) // otherwise it is a quotation
}

// isShown reports whether the tree shows that a line really names the path of an entry. The file
// must exist and have much of the text, its folder must exist, or the file to delete or rename must
// exist.
func (e entry) isShown(seen evidence, d format.Document) bool {
	switch {
	case e.problem == endless:
		return seen.alike
	case e.problem == several || e.problem == firstLine:
		return seen.alike || seen.folder && !seen.file
	case e.verb == renamed && !seen.file:
		to := e
		to.path = e.to
		return look(to, d, map[string][]string{}).file
	}
	return seen.file
}

// isNamed reports whether another entry, or a block of another format, is for the same file.
func isNamed(found []entry, d format.Document, of entry) bool {
	for _, e := range found {
		if !e.said && clean(e.path.path) == clean(of.path.path) {
			return true
		}
	}
	return slices.ContainsFunc(d.Claimed, func(s text.Span) bool { return strings.Contains(s.In(d.Text), of.path.path) })
}

// nearEnd is the number of lines that count as an end of a long file. A text that has one of these
// lines has this end, because an edit may have changed the others.
const nearEnd = 3

// hasEnds reports whether a text contains the first and the last of some lines, or lines near
// them.
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
