package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Evidence is a number of characters other than white space. A text with at least this many is long enough to be
// recognized.
//
// If the number were smaller, Aptix would mistake a closing bracket or an empty comment for the intended text. If it
// were larger, Aptix would ask the person about short lines that are intended.
type Evidence int

const (
	// Line is the evidence for whole lines that contain a word, such as `x++`, if only one place is possible.
	Line Evidence = 3
	// Shared is enough to recognize a line that two texts have in common. A shorter line, such as `break` or `else {`,
	// may be in both by chance.
	Shared Evidence = 6
	// Passage is enough for a text at any place, even inside a line or next to another difference.
	Passage Evidence = 12
	// Shift is enough to recognize a text at another indentation. A shorter text could belong to many
	// blocks of code.
	Shift Evidence = 16
)

// Habit is the smallest number of similar lines that show a habit of the text's author. Two lines
// may be similar by accident.
const Habit = 3

// Says reports whether a text has enough characters to be recognized.
func (e Evidence) Says(s string) bool { return NonBlanks(s, int(e)) == int(e) }

// HasWord reports whether a text has a letter or a digit.
func HasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// NonBlanks returns the number of characters in s that are not white space, but at most `most`.
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

// IsASCII reports whether a text has only ASCII characters.
func IsASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// WithoutSpace returns a text without its white space.
func WithoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// Cut shortens a text for a message. It keeps at most the given number of bytes, without splitting a character, and
// ends the shortened text with "…".
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// Short shortens a name or a value that a message quotes.
func Short(s string) string { return Cut(s, 40) }

// SharedStart returns the number of bytes that two texts share at their beginnings.
func SharedStart(a, b string) int {
	const block = 256 // comparing two strings is much faster than comparing their bytes one by one
	n := 0
	for len(a) >= n+block && len(b) >= n+block && a[n:n+block] == b[n:n+block] {
		n += block
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// SharedEnd returns the number of bytes that two texts share at their ends.
func SharedEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// SharedEnds returns the number of bytes that two texts share at their beginnings and at their ends, in total.
func SharedEnds(a, b string) int {
	head := SharedStart(a, b)
	return head + SharedEnd(a[head:], b[head:])
}

// CommonStart returns how many elements two lists share at their beginnings.
func CommonStart[A comparable](a, b []A) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// CommonEnd returns how many elements two lists share at their ends.
func CommonEnd[A comparable](a, b []A) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// CommonEnds returns how many elements two lists share at their beginnings and, in the rest, at their ends.
func CommonEnds[A comparable](a, b []A) (head, tail int) {
	head = CommonStart(a, b)
	return head, CommonEnd(a[head:], b[head:])
}

// LineNames names the lines from `first` to `last` for a person: "line 3" or "lines 3 to 5". Lines count from 1.
func LineNames(first, last int) string {
	if last <= first {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}

// AtMost shortens a list for a person. The last element of a shortened list is made from the format `more` and the
// number of elements that are left out.
func AtMost(list []string, most int, more string) []string {
	if len(list) <= most {
		return list
	}
	return append(list[:most:most], fmt.Sprintf(more, len(list)-most))
}
