package lenientjson

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Values returns the spans of the consecutive JSON values in a text. A value without an end extends to the end of
// the text, and the last one includes any text below it.
func Values(s string) []text.Span {
	var found []text.Span
	for at := 0; ; {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n\ufeff"))
		if at == len(s) || s[at] != '{' && s[at] != '[' {
			break
		}
		end, ok := ValueEnd(s, at)
		if !ok {
			end = len(s)
		}
		found = append(found, text.Span{Start: at, End: end})
		at = end
	}
	if n := len(found); n > 0 && strings.TrimSpace(s[found[n-1].End:]) != "" {
		found[n-1].End = len(s)
	}
	return found
}

// ValueEnd returns the end of the object or array at an offset of a text, without parsing it. It returns false if the text ends first.
func ValueEnd(s string, at int) (end int, ok bool) {
	depth := 0
	for at < len(s) {
		switch s[at] {
		case '"':
			if at = closingQuote(s, at+1); at == len(s) {
				return 0, false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1, true
			}
		}
		at++
	}
	return 0, false
}

// closingQuote returns the offset of the quote that ends a string, or len(s). The string's text begins at `at`.
func closingQuote(s string, at int) int {
	for at < len(s) {
		i := strings.IndexAny(s[at:], `"\`)
		if i < 0 {
			break
		}
		if at += i; s[at] == '"' {
			return at
		}
		at += 2
	}
	return len(s)
}
