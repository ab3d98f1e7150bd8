package mdblock

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// page reads code that was copied from a web page, which shows code without fences. The name of the language and the
// text of a button must be above the code, beginning on the line of the cursor. page returns the offset after the code:
//
//	python
//	Copy code
//	import logging
//
// JSON, patches and ap patches are recognized by their own marks, which are more reliable.
func (s *scanner) page(c cursor) (next int, ok bool) {
	lang, size := artifact.CodeOnPage(s.doc[c.start:])
	if size == 0 || tagged(lang) != other || (Block{Lang: lang}).IsProse() {
		return 0, false
	}
	begin := c.start + size
	if _, again := artifact.CodeOnPage(s.doc[begin:]); again > 0 {
		// Another label follows, so there is no code.
		return 0, false
	}
	labels := strings.TrimRight(s.doc[c.start:begin], " \t\r\n")
	f := fence{info: lang, lang: lang, line: text.Span{Start: c.start, End: c.start + len(labels)}, eol: cmp.Or(s.doc[c.end:c.next], "\n")}
	r := reader{scanner: s, fence: f, at: begin, verbatim: true}
	if r.beginsMarked() {
		return 0, false
	}
	closing := r.closePage()
	if !closing.ok {
		return 0, false
	}
	b := r.block(closing)
	b.Page = true
	s.found = append(s.found, b)
	return b.Span.End, true
}

// closePage returns a row at the likely end of code without a fence. The code ends above a sentence, or above the
// label of the next code. A single line above that label is the title of the next code. Blank lines at the end do not
// belong to the code. The field ok of the row is false if a fence comes first, because the text was then not copied
// from a page.
func (r reader) closePage() row {
	// end is the end of the code so far. If the last line stands alone below a blank line, aboveLast is the end of the
	// code above that line.
	end, aboveLast := r.at, -1
	blank := false // true if the line above is blank
	for w := r.next(); w.ok; w = r.next() {
		line := r.content(w)
		if isBlankLine(line) {
			blank = true
			continue
		}
		if mark, _ := FenceOf(line); mark != "" {
			return row{}
		}
		if _, size := artifact.CodeOnPage(r.doc[w.start:]); size > 0 {
			if aboveLast >= 0 {
				end = aboveLast
			}
			break
		}
		if blank && text.IsSentence(line, text.FewestWords) {
			break
		}
		aboveLast = -1
		if blank {
			aboveLast = end
		}
		blank, end = false, w.next
	}
	return row{ok: true, start: end, end: end, next: end, unsure: true}
}
