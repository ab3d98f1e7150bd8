package mdblock

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// page reads code that was copied from a web page without its fences, and returns the offset after the code. The labels
// above the code, which are the language and the text of a button, must begin on the line of the cursor. This line
// continues `depth` containers. In this example, the code begins with `import`:
//
//	python
//	Copy code
//	import logging
//
// JSON, patches and ap patches are recognized by their own marks, which are more reliable.
func (s *scanner) page(c cursor, depth int) (next int, ok bool) {
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
	stack, quotes, leaf := s.stack, s.quotes, s.leaf
	s.closeTo(depth) // the title above the label may be a list item, which ends here
	closing := r.closePage()
	if !closing.ok {
		s.stack, s.quotes, s.leaf = stack, quotes, leaf
		return 0, false
	}
	b := r.block(closing)
	b.Page = true
	s.found = append(s.found, b)
	return b.Span.End, true
}

// closePage returns a row at the likely end of code without a fence. The code ends in one of these places:
//
//   - above a sentence
//   - above the label of the next code, or above the title of that code: a line above the label that stands alone or
//     has the number of a list item
//
// Blank lines at the end do not belong to the code. The field ok of the row is false if there is no code, or if a fence
// comes first, because a text with a fence was not copied from a page.
func (r reader) closePage() row {
	type tail struct {
		end   int // the end of the code so far
		prose int // where the sentences at the end begin, if they are directly below code; otherwise -1
	}
	begin, now := r.at, tail{r.at, -1}
	above, last := now, "" // the tail above the last line, and that line
	alone := false         // true if the last line is below a blank line
	blank := false         // true if the line above is blank
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
			if alone || last != "" && '0' <= last[0] && last[0] <= '9' && markerLen(last) > 0 {
				now = above
			}
			break
		}
		sentence := text.IsSentence(line, text.FewestWords)
		if blank && sentence {
			break
		}
		above, last, alone = now, line, blank
		if !sentence {
			now.prose = -1
		} else if now.prose < 0 {
			now.prose = now.end
		}
		blank, now.end = false, w.next
	}
	end := now.end
	if now.prose >= 0 {
		end = now.prose
	}
	return row{ok: end > begin, start: end, end: end, next: end, unsure: true}
}
