package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// proven leaves out entries whose file only a sentence names, because their fences may only show a file before or
// after another edit. It keeps an entry if the fence has most of the file, including both ends. It also keeps a new
// file, as an error if there are other edits.
func proven(found []entry, d format.Document) []entry {
	files := map[string][]string{}
	all, ofKept := map[string]bool{}, map[string]bool{} // the files that are named outside of a sentence: by any entry, and by a kept entry
	for _, e := range found {
		if !e.said {
			all[clean(e.path.path)] = true
		}
	}
	var kept []entry
	for _, e := range found {
		if (e.problem == several || e.problem == firstLine || e.problem == mentioned || e.problem == endless) && !e.isShown(look(e, d, files), d) {
			continue
		}
		if e.inWords && isNamed(ofKept, d, e.path.path) {
			continue // the sentence describes another edit
		}
		if e.said {
			seen := look(e, d, files)
			lines := files[clean(e.path.path)]
			content, isText := reply.FileText(d, e.path.path)
			if isText && !seen.file {
				lines, e = doubt.Telling(content), e.withPath(d.Text)
			}
			switch {
			case seen.alike && e.resemblesUnder(d, files):
				e.other = e.under
			case e.isNew(seen, d) && !all[clean(e.path.path)]:
				e.said, e.line, e.path.span, e.at.Start = false, e.brief, e.saidAt, e.brief.Start
			case isNamed(all, d, e.path.path) || seen.same && len(d.Claimed) > 0:
				continue
			case seen.parts || seen.alike && (hasEnds(lines, e.text()) || isText && e.isAsLong(content, lines, d.Meter)):
				e.verb = shown
			case isText && e.isPartOf(content, d):
				e.verb, e.isPart = shown, true
			case isText && e.mayBeWhole(content, lines):
				if e.verb = shown; e.problem == fine {
					e.problem = spoken
				}
			case seen.file || isText:
				continue
			case e.verb != created && !e.heads || !local(e.path.path):
				continue
			default:
				e.problem = unlabelled
			}
		} else if e.isInFence() {
			seen := look(e, d, files)
			content, isText := reply.FileText(d, e.path.path)
			e.isPart = isText && !seen.parts && !seen.alike && e.withoutLabel(d).isPartOf(content, d)
		}
		kept = append(kept, e)
		ofKept[clean(e.path.path)] = ofKept[clean(e.path.path)] || !e.said
	}
	return kept
}

// resemblesUnder reports whether the fence also has much of the file that labels the section.
func (e entry) resemblesUnder(d format.Document, files map[string][]string) bool {
	under := e
	under.path = located{path: e.under}
	return e.under != "" && look(under, d, files).alike
}

// withPath adds the path in the sentence above the fence, or in the heading of that sentence, so that a fix can
// change it. The block then includes that line and the sentence, but no other text.
func (e entry) withPath(doc string) entry {
	_, next := text.LineEnd(doc, e.saidAt.End)
	if e.saidAt != zero && next <= e.at.Start && !strings.Contains(strings.TrimSpace(doc[next:e.at.Start]), "\n") {
		e.path.span, e.at.Start = e.saidAt, strings.LastIndexAny(doc[:e.saidAt.Start], "\r\n")+1
	}
	return e
}

// isAsLong reports whether the fence has the first and the last line of its file, which may be brackets, and at
// least as many lines. A part of the file that ends like the file is shorter.
func (e entry) isAsLong(content string, lines []string, m *meter.Meter) bool {
	return len(doubt.Telling(e.text())) >= len(lines) && elision.EndsAs(place.NewLines(content, place.AfterEOL, m), e.text())
}

// isPartOf reports whether a comparison shows that the fence has a part of its file. If no words request a change,
// the fence may be an example, so it must also keep enough of the file. A text that the file already has is usually
// a quotation.
func (e entry) isPartOf(content string, d format.Document) bool {
	if e.asks == reply.Contents || !d.Meter.Pay(meter.Line*strings.Count(content, "\n")) {
		return false
	}
	switch r := elision.Guess(place.NewLines(content, place.AfterEOL, d.Meter), e.text()); r.State {
	case elision.Asks:
		return (e.asks != reply.Add || !r.Removes()) && (e.asks != reply.Nothing || e.partOnly || e.keepsQuarter(r))
	case elision.Certain:
		// The file already has the text, so the fence is a quotation. It is an edit only if words request a change,
		// the text could be the whole file, and there is no other edit.
		return e.asks != reply.Nothing && !e.partOnly && len(d.Claimed) == 0
	}
	return false
}

// keepsQuarter reports whether a quarter of the fence's lines are lines of the file. It returns false for a fence
// with dots instead of code, which is an outline of the file.
func (e entry) keepsQuarter(r elision.Reading) bool {
	lines, fresh := text.SplitLines(e.text()), 0
	for _, p := range r.Parts {
		for _, h := range p.Hunks {
			fresh += text.Count(h.Lines, text.HasWord)
		}
	}
	return 4*fresh <= 3*text.Count(lines, text.HasWord) && !slices.ContainsFunc(lines, beginsWithDots)
}

func beginsWithDots(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "...") || strings.HasPrefix(line, "…")
}

// mayBeWhole reports whether the fence may have the whole new text of its file: the sentence announces the whole
// file, or announces a new text that has at least half as many lines as the current file.
func (e entry) mayBeWhole(content string, lines []string) bool {
	isLong := 2*len(doubt.Telling(e.text())) >= len(lines)
	if e.partOnly || e.asks != reply.Contents && !(e.asks == reply.Shows && isLong) {
		return false
	}
	return !strings.Contains(content, strings.TrimSpace(e.text())) // a text that the file already has is a quotation
}

// isShown reports whether the workspace confirms that a line names the path of an entry: the file has much of the
// text, the folder of a new file exists, or the file to delete or rename exists.
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

// isNew reports whether a brief sentence announces a new file that no other edit of the reply creates. The reply must
// have other edits. An edit creates the file if it has the file's last line with a word; an edit that only names the
// file, such as a new line of the documentation, does not.
func (e entry) isNew(seen evidence, d format.Document) bool {
	if e.brief == zero || seen.file || !local(e.path.path) || len(d.Claimed) == 0 || e.fence.Kind() != mdblock.OtherCode && !e.fence.IsCommands() {
		return false
	}
	if content, isText := reply.FileText(d, e.path.path); isText && content != "" {
		return false
	}
	lines := doubt.Telling(e.text())
	return len(lines) > 0 && !hasIn(d, lines[len(lines)-1])
}

// isNamed reports whether a path is among the files, or a block of another format contains it.
func isNamed(files map[string]bool, d format.Document, path string) bool {
	return files[clean(path)] || hasIn(d, path)
}

// hasIn reports whether a block of another format contains a text.
func hasIn(d format.Document, part string) bool {
	return slices.ContainsFunc(d.Claimed, func(s text.Span) bool {
		return d.Meter.Pay(s.Len()) && strings.Contains(s.In(d.Text), part)
	})
}

// nearEnd is the number of lines that count as an end of a long file. A text needs one of them at each end, because
// an edit may have changed the others.
const nearEnd = 3

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
