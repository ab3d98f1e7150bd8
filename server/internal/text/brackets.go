package text

import "strings"

// Brackets adds the brackets of a line to the counts of open brackets: `()`, `[]`, `{}`. It ignores quoted text, and
// brackets that are escaped or belong to a terminal's color.
func Brackets[T int | int32](open *[3]T, line string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\'', '"', '`':
			i += ClosingQuote(line[i:])
		case '(', ')', '[', ']', '{', '}':
			if k := strings.IndexByte("()[]{}", line[i]); i == 0 || line[i-1] != '\\' && line[i-1] != '\x1b' {
				open[k/2] += T(1 - 2*(k%2))
			}
		}
	}
}

// ClosingQuote returns the offset of the quote that closes the quote at the start of s. It returns 0 if there is none.
func ClosingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i
		}
	}
	return 0
}
