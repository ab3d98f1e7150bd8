package text

import (
	"strings"
	"unicode"
)

// An Evidence is the least number of characters, white space aside, by which a text is known.
//
// With fewer, a closing bracket, a `return` or a blank comment would count as the text that was
// meant; with more, short lines that are meant would be asked about.
type Evidence int

const (
	// Line is enough for whole lines in one place that have a word: `x++`.
	Line Evidence = 3
	// Shared is enough for a line that two texts have: `return` alone is not.
	Shared Evidence = 6
	// Passage is enough for a text anywhere, also inside a line or beside another difference.
	Passage Evidence = 12
	// Shift is enough for a text at another indentation, which many blocks have.
	Shift Evidence = 16
)

// Says reports whether a text says enough to be known.
func (e Evidence) Says(s string) bool { return NonBlanks(s, int(e)) == int(e) }

// HasWord reports whether a text has more than brackets and marks.
func HasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// NonBlanks counts the characters of s without white space, up to most.
func NonBlanks(s string, most int) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			if n++; n == most {
				break
			}
		}
	}
	return n
}
