// Package place finds a passage in a text, exactly or approximately: with different white space, with characters
// that look alike, or slightly changed. It also proves for all formats that a change was made before.
//
// All texts have LF endings. Offsets are bytes.
//
// # One index for many passages
//
// A plan carries one [Text] of a file from step to step. Its lines are in chunks of 4 KB, and the chunks are in
// segments. An edited text shares the segments that the edit did not change. Therefore a thousand finds in one file
// cost little more than reading it (BenchmarkFinds of package plan).
//
// Formats that compare whole lines use one table, [Text.Lines], with an index for each level of likeness. So the time
// for N hunks grows with the size of the text plus N. ap patches and line patches compare lines in their own ways, so
// they index the same table by their own comparison ([Lines.IndexBy]).
//
// # What place does not decide
//
// The levels (exact, line endings, ..., likeness) are one list. Messages take their words from it, and
// docs/matching.md is generated from it. A [Law] decides where a passage counts as found. Each format has more rules
// in the Resolve of its step, such as git's choice of a place, the indentation that ap 3.1 ignores, and the hash of
// a line patch. Package hunk is not a part of place, because it imitates git: git places a hunk by its line numbers
// and the hunks around it, while a find has neither.
package place

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spaces lists the white space of indentation and line ends.
const spaces = " \t"

// Occurrences returns the offsets of pattern in s, including overlapping ones. The pattern must not be empty. The
// time is linear in both lengths: the algorithm is Knuth-Morris-Pratt, with a faster search while no byte is
// matched.
func Occurrences(s, pattern string) []int {
	border, length := borders([]byte(pattern)), int32(len(pattern))
	var starts []int
	matched := int32(0) // the number of bytes of pattern that match the text before `at`
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

// OccurrencesOf is [Occurrences] for lists of other elements, such as lines.
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

// borders returns, for every n, the length of the longest proper prefix of pattern[:n] that is also a suffix of it.
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

// CutsWord reports whether an offset is inside a word. It returns false in scripts without spaces, and after an
// escape sequence such as \n.
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
