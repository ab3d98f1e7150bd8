package mdblock

import "strings"

// continuesLeaf reports whether the line belongs to the open HTML block or
// indented code, which then is all that there is to it. Paragraphs are left to
// [scanner.text], as other blocks may interrupt them.
func (s *scanner) continuesLeaf(c *cursor) bool {
	switch s.leaf {
	case indentedCode:
		return c.blank() || c.indent() >= 4
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

// startLeaf finds the leaf block that begins at c: one of more than a line is
// what it leaves open. Paragraphs and fences are found elsewhere.
func (s *scanner) startLeaf(c *cursor, inParagraph bool) (leaf, bool) {
	if c.indent() >= 4 {
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

func isHeading(s string) bool {
	n := runLen(s, '#')
	return 1 <= n && n <= 6 && (n == len(s) || isBlank(s[n]))
}

// isSetext reports whether s underlines a paragraph, which so becomes a heading.
//
// A paragraph of nothing but link reference definitions is no heading, whatever
// follows. Telling that takes the inline grammar and matters only to a line
// right after "===" that could not interrupt a paragraph, so it is left out.
func isSetext(s string) bool {
	if s[0] != '=' && s[0] != '-' {
		return false
	}
	return strings.TrimRight(s[runLen(s, s[0]):], " \t") == ""
}

// isThematicBreak remembers how far it looked in vain. Each marker of a line
// such as "* * * * a" would cost all of the line otherwise.
func (s *scanner) isThematicBreak(c *cursor) bool {
	char := c.doc[c.solid]
	if c.solid < s.noBreak || (char != '*' && char != '-' && char != '_') {
		return false
	}
	n, i := 0, c.solid
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
