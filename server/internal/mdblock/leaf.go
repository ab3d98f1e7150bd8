package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// continuesLeaf reports whether the line belongs to the open HTML block or indented code. It does not handle
// paragraphs, because other blocks may interrupt them; see [scanner.text].
func (s *scanner) continuesLeaf(c *cursor) bool {
	switch s.leaf {
	case indentedCode:
		return c.blank() || c.indent() >= codeIndent
	case htmlBlock:
		if len(s.htmlEnd) == 0 {
			return !c.blank()
		}
		if containsFold(c.doc[c.at:c.end], s.htmlEnd) {
			s.leaf = noLeaf
		}
		return true
	}
	return false
}

// startLeaf reports whether a leaf block begins at the cursor, and returns the leaf block that remains open for the
// next line. Paragraphs and fences are found elsewhere.
func (s *scanner) startLeaf(c *cursor, inParagraph bool) (leaf, bool) {
	if c.indent() >= codeIndent {
		return indentedCode, true
	}
	rest := c.rest()
	switch {
	case isHeading(rest), inParagraph && isSetext(rest), s.isThematicBreak(c):
		return noLeaf, true
	case rest[0] == '<':
		return s.startHTML(rest)
	}
	return noLeaf, false
}

// code adds the line that begins at `at` to a block if the line is indented code.
func (s *scanner) code(at int) {
	if s.leaf != indentedCode {
		s.endCode()
		return
	}
	c := newCursor(s.doc, at)
	if s.match(&c); s.rows == nil {
		s.rows = &hostMap{doc: s.doc}
		s.coded = append(s.coded, Block{Open: text.Span{Start: c.start, End: c.end}, Span: text.Span{Start: c.start}, Closed: true})
	}
	c.skip(codeIndent)
	s.rows.add(row{start: c.start, text: c.at, pad: c.pad, end: c.end, next: c.next})
	s.coded[len(s.coded)-1].Span.End = c.next
}

// codeIndent is the indentation of code, in columns.
const codeIndent = 4

func (s *scanner) endCode() {
	if s.rows != nil {
		b := &s.coded[len(s.coded)-1]
		b.Body, b.lines = s.rows.finish(b.Span.End)
		s.rows = nil
	}
}

func isHeading(s string) bool {
	n := runLen(s, '#')
	return 1 <= n && n <= 6 && (n == len(s) || isBlank(s[n]))
}

// isSetext reports whether s underlines a paragraph, which makes the paragraph a heading.
//
// In CommonMark, a paragraph that consists only of link reference definitions never becomes a heading. isSetext does
// not check this, because the check would need the inline grammar. It matters only if the line right after "===" could
// not interrupt a paragraph.
func isSetext(s string) bool {
	if s[0] != '=' && s[0] != '-' {
		return false
	}
	return strings.TrimRight(s[runLen(s, s[0]):], " \t") == ""
}

// isThematicBreak reports whether a thematic break begins at the cursor. If there is none, the scanner remembers how
// far it searched. Without this, a line such as "* * * * a" would take one pass for each of its markers.
func (s *scanner) isThematicBreak(c *cursor) bool {
	char := c.doc[c.first]
	if c.first < s.noBreak || (char != '*' && char != '-' && char != '_') {
		return false
	}
	n, i := 0, c.first
	for ; i < c.end && (c.doc[i] == char || isBlank(c.doc[i])); i++ {
		if c.doc[i] == char {
			n++
		}
	}
	if i == c.end && n >= 3 {
		return true
	}
	s.noBreak = i
	return false
}

func runLen(s string, char byte) int {
	n := 0
	for n < len(s) && s[n] == char {
		n++
	}
	return n
}
