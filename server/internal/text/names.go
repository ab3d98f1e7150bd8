package text

import (
	"strings"
	"unicode"
)

// InName reports whether a character can be part of a name in a program: a letter, a digit or an underscore.
func InName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Names returns the names and numbers in a text: the runs of characters that [InName] accepts.
func Names(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return !InName(r) }) }

// WordsOfNames returns the words of a text in lower case. It splits a name such as `maxSize` into its words. Words of
// fewer than four bytes are left out, because they are in nearly any text. Numbers count as words.
func WordsOfNames(s string) (words []string) {
	for name := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		from, last := 0, rune(0)
		add := func(end int) {
			if word := name[from:end]; len(word) > 3 || unicode.IsDigit(last) {
				words = append(words, strings.ToLower(word))
			}
			from = end
		}
		for i, r := range name {
			if unicode.IsDigit(r) != unicode.IsDigit(last) || unicode.IsUpper(r) && unicode.IsLower(last) {
				add(i)
			}
			last = r
		}
		add(len(name))
	}
	return words
}
