package mdblock

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// match skips the prefixes of the open containers and returns the number of containers that the line continues.
//
// A blank line continues all list items without consuming any white space, so match can skip to the next quote at once.
// Otherwise, blank lines below a deep list would take quadratic time.
func (s *scanner) match(c *cursor) int {
	quotes := 0
	for i := range s.stack {
		k := &s.stack[i]
		switch {
		case k.quote:
			if !takeQuote(c) {
				return i
			}
			quotes++
		case k.empty && c.blank(): // an item whose marker is alone on its line ends at a second blank line
			return i
		case c.indent() >= k.width:
			c.skip(k.width)
			c.full = true
			k.empty = false
		case c.blank():
			c.skip(c.indent())
			c.full = false
			return s.matchBlank(quotes)
		default:
			return i
		}
	}
	return len(s.stack)
}

func (s *scanner) matchBlank(quotes int) int {
	if quotes < len(s.quotes) {
		return s.quotes[quotes]
	}
	if last := len(s.stack) - 1; s.stack[last].empty {
		return last
	}
	return len(s.stack)
}

// startContainer skips the marker of a quote or of a list item and returns the container. It returns false if no marker
// is at the cursor.
func (s *scanner) startContainer(c *cursor, inParagraph bool) (container, bool) {
	if c.indent() >= 4 {
		return container{}, false
	}
	if takeQuote(c) {
		return container{quote: true}, true
	}
	n := markerLen(c.rest())
	if n == 0 || s.isThematicBreak(c) || (inParagraph && isSetext(c.rest())) {
		return container{}, false
	}
	inside := *c
	inside.take(n)
	blanks := inside.indent()
	k := container{width: c.indent() + n + 1, empty: inside.blank()}
	switch {
	case k.empty:
		blanks = min(blanks, 1)
	case blanks == 0:
		return container{}, false
	case blanks <= 4:
		k.width += blanks - 1
	// If indented code follows, the content begins one column after the marker.
	default:
		blanks = 1
	}
	if inParagraph && !interrupts(c.rest()[:n], k) {
		return container{}, false
	}
	inside.skip(blanks)
	*c = inside
	return k, true
}

// interrupts reports whether a list item may end the paragraph before it. The item must have content, and a bullet or
// the number 1.
func interrupts(marker string, k container) bool {
	if k.empty {
		return false
	}
	number, err := strconv.Atoi(marker[:len(marker)-1])
	return err != nil || number == 1
}

var inQuotation = lazyregexp.New(`^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*>`)

// InQuotation reports whether the line at an offset is in a block quote.
func InQuotation(doc string, at int) bool {
	return inQuotation.MatchString(doc[1+strings.LastIndexAny(doc[:at], "\r\n"):])
}

// takeQuote skips a quote's marker and one blank after the marker, or returns false.
func takeQuote(c *cursor) bool {
	if c.indent() >= 4 || c.blank() || c.doc[c.first] != '>' {
		return false
	}
	c.take(1)
	c.full = c.skip(1) == 1
	return true
}

// markerLen returns the length of the list marker at the start of s, or 0. It does not check the
// text after the marker.
func markerLen(s string) int {
	switch s[0] {
	case '-', '+', '*':
		return 1
	}
	n := 0
	for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 || n == len(s) || (s[n] != '.' && s[n] != ')') {
		return 0
	}
	return n + 1
}
