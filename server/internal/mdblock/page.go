package mdblock

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
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

// The beginnings of HTML blocks in CommonMark 0.31, by kind. Kinds 1 to 5 end on the first line that contains an end
// text of the kind. Kinds 6 and 7 end at a blank line.
var (
	html1    = lazyregexp.New(`(?i)^<(?:script|pre|style|textarea)(?:[ \t>]|$)`)
	html4    = lazyregexp.New(`^<![A-Za-z]`)
	html6    = lazyregexp.New(`(?i)^</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t>]|/>|$)`)
	htmlNot7 = lazyregexp.New(`(?i)^</?(?:script|pre|style|textarea)[^A-Za-z0-9-]`)
	html7    = lazyregexp.New(`^<(?:/[A-Za-z][A-Za-z0-9-]*[ \t]*|[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*[ \t]*/?)>[ \t]*$`)
)

// inline matches the tag of an HTML element that documentation often begins with, although it begins no HTML block.
var inline = lazyregexp.New(`(?i)^<(?:a|abbr|b|br|code|em|font|i|img|kbd|picture|small|span|strong|sub|sup|svg|video)(?:[ \t>]|/>|$)`)

// BeginsHTML reports whether a text begins with an HTML element, a component of JSX, a comment or a declaration. The
// tags of models, such as `<answer>`, are none of these.
func BeginsHTML(text string) bool {
	if !strings.HasPrefix(text, "<") {
		return false
	}
	line, _, _ := strings.Cut(text, "\n")
	return len(line) > 1 && strings.Contains("!?", line[1:2]) ||
		component.MatchString(line) ||
		html1.MatchString(line) ||
		html6.MatchString(line) ||
		inline.MatchString(line)
}

var component = lazyregexp.New(`^<[A-Z][A-Za-z0-9.]*(?:[ \t>]|/>|$)`)

var htmlEnds = map[string][]string{
	"<!--":      {"-->"},
	"<?":        {"?>"},
	"<![CDATA[": {"]]>"},
}

// comment records the lines between two offsets if they are part of an HTML comment of several lines. The rendered
// document does not show these lines.
func (s *scanner) comment(start, end int) {
	if in := s.inComment(); s.open {
		s.hidden[len(s.hidden)-1].End, s.open = end, in
	} else if in {
		s.hidden, s.open = append(s.hidden, text.Span{Start: start, End: end}), true
	}
}

func (s *scanner) inComment() bool {
	return s.leaf == htmlBlock && len(s.htmlEnd) > 0 && s.htmlEnd[0] == "-->"
}

// startHTML returns the HTML block that a line begins, or noLeaf if the block ends on the same line. Inside a
// paragraph, a line of kind 7 is text, even if the line lacks the prefixes of the paragraph's containers.
func (s *scanner) startHTML(line string) (leaf, bool) {
	ends, ok := s.htmlKind(line)
	if !ok {
		return noLeaf, false
	}
	s.htmlEnd = ends
	if containsFold(line, ends) {
		return noLeaf, true
	}
	return htmlBlock, true
}

func (s *scanner) htmlKind(line string) (ends []string, ok bool) {
	for start, ends := range htmlEnds {
		if strings.HasPrefix(line, start) {
			return ends, true
		}
	}
	switch {
	case html1.MatchString(line):
		return []string{"</script>", "</pre>", "</style>", "</textarea>"}, true
	case html4.MatchString(line):
		return []string{">"}, true
	}
	return nil, html6.MatchString(line) || (s.leaf != paragraph && html7.MatchString(line) && !htmlNot7.MatchString(line))
}

// containsFold reports whether `line` contains any of `ends`, in upper or lower case. Each of `ends` must end with ">".
func containsFold(line string, ends []string) bool {
	for at := 0; ; {
		i := strings.IndexByte(line[at:], '>')
		if i < 0 {
			return false
		}
		at += i + 1
		for _, end := range ends {
			if at >= len(end) && strings.EqualFold(line[at-len(end):at], end) {
				return true
			}
		}
	}
}
