package locate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spaces holds the characters of indentation and of white space at line ends.
const spaces = " \t"

// Occurrences returns the offsets of pattern in s, including overlapping ones. The pattern must
// not be empty. The time is linear in both: the algorithm is that of Knuth, Morris and Pratt, and
// it jumps ahead while nothing is matched.
func Occurrences(s, pattern string) []int {
	border, length := borders([]byte(pattern)), int32(len(pattern))
	var starts []int
	matched := int32(0) // number of bytes of pattern that match the text before offset at
	for at := 0; at <= len(s); {
		if matched == 0 {
			i := strings.Index(s[at:], pattern)
			if i < 0 {
				break
			}
			at += i + len(pattern)
			matched = length
		}
		if matched == length {
			starts = append(starts, at-len(pattern))
			matched = border[matched]
			continue
		}
		if at == len(s) {
			break
		}
		for matched > 0 && s[at] != pattern[matched] {
			matched = border[matched]
		}
		if matched > 0 || s[at] == pattern[0] {
			matched++
			at++
		}
	}
	return starts
}

// OccurrencesOf is like [Occurrences] for other patterns, such as lines.
func OccurrencesOf[T comparable](s, pattern []T) []int {
	border := borders(pattern)
	var starts []int
	matched := int32(0)
	for at, next := range s {
		for matched > 0 && next != pattern[matched] {
			matched = border[matched]
		}
		if next == pattern[matched] {
			matched++
		}
		if int(matched) == len(pattern) {
			starts = append(starts, at+1-len(pattern))
			matched = border[matched]
		}
	}
	return starts
}

// borders returns, for every length, the length of the longest proper prefix of pattern[:length]
// that is also a suffix of it.
func borders[T comparable](pattern []T) []int32 {
	border := make([]int32, len(pattern)+1)
	k := int32(0)
	for i := 1; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = border[k]
		}
		if pattern[i] == pattern[k] {
			k++
		}
		border[i+1] = k
	}
	return border
}

// Indentation returns the leading white space of line.
func Indentation(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, spaces))]
}

// IsBlank reports whether s has only white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }

// CutsWord reports whether the offset at lies between two characters of a word. Scripts that are
// written without spaces do not count. A letter after a backslash belongs to an escape and ends
// no word.
func CutsWord(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return false
	}
	before, size := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	if !isWord(before) || !isWord(after) {
		return false
	}
	escape := at > size && s[at-size-1] == '\\' && strings.ContainsRune("nrtbfv0", before)
	return !escape
}

func isWord(r rune) bool {
	if r == '_' || r < utf8.RuneSelf && unicode.IsDigit(r) {
		return true
	}
	if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
