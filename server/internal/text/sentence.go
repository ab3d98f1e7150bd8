package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FewestWords is the smallest number of words in a sentence if nothing else shows that a line is a
// sentence.
const FewestWords = 5

// fewestLetters is the smallest number of letters in a sentence in a script without spaces.
const fewestLetters = 8

// IsSentence reports whether an unindented line is a sentence of at least the given number of
// words. A sentence has words with spaces between them, from a capital letter to a full stop, or
// the equivalent in another script.
func IsSentence(line string, fewest int) bool {
	line = strings.TrimRight(strings.TrimLeft(line, "*_"), " \t*_")
	if line == "" || len(line) > 1000 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line)
	if ideographs(line) >= fewestLetters {
		end, _ := utf8.DecodeLastRuneInString(line)
		return unicode.IsLetter(first) && strings.ContainsRune("。！？：.!?:", end) && !IsCode(line)
	}
	return unicode.IsUpper(first) && strings.ContainsAny(line[len(line)-1:], ".!?:") && HasWords(line, fewest)
}

// HasWords reports whether an unindented line consists mostly of plain words, and has at least the given number of
// them. In a script without spaces, it counts letters instead.
func HasWords(line string, fewest int) bool {
	if first, _ := utf8.DecodeRuneInString(line); ideographs(line) >= fewestLetters && !IsCode(line) || !unicode.IsLetter(first) {
		return unicode.IsLetter(first)
	}
	words := strings.Fields(line)
	plain, small := 0, 0
	for _, word := range words {
		if word = strings.Trim(word, ".,:;!?\"'()`*"); word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' && r != '’' }) {
			plain++
			if strings.ToUpper(word) != word {
				small++
			}
		}
	}
	return plain >= fewest && 5*plain >= 4*len(words) && 2*small > plain && !strings.ContainsAny(line, "{}[]=;<>")
}

// IsCode reports whether a line has characters that do not occur in sentences.
func IsCode(line string) bool { return strings.ContainsAny(line, "(){}[]=;<>_") }

func ideographs(s string) int {
	n := 0
	for _, r := range s {
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			n++
		}
	}
	return n
}

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
