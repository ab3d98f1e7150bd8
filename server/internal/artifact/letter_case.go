package artifact

import (
	"strings"
	"unicode"
)

// LetterCase describes a text whose letters changed their case.
var LetterCase = Artifact{
	Silent:      map[string]string{NewFile: "there is no text to compare; the new text may be intended like this"},
	Name:        "changed case",
	Origin:      "Word processors, telephones and transcripts write capitals at the beginning of lines and sentences, or everywhere.",
	Differs:     "only the case of letters differs",
	Fix:         "Write the letters as the file does",
	Forgives:    "All letters in one case, or capitals at the beginning of lines.",
	Certain:     "No: names may differ only in case. The fix is offered.",
	Replacement: "Lines that the file has are written as in the file.",
	Restore: func(s string, old []string) (string, bool) {
		if !changedCase(s, old) {
			return s, false
		}
		return restoring(strings.ToLower, always)(s, old)
	},
}

// fewestCapitals is the number of lines that begin with a capital letter, needed to see that a
// program wrote them.
const fewestCapitals = 3

// changedCase reports whether a program changed the case of letters: all of them are capitals, or
// none is; or all lines begin with one, and a word in them is written in both ways or something else changed too.
func changedCase(s string, old []string) bool {
	was := strings.Join(old, "\n")
	upper, lower := count(s, unicode.IsUpper), count(s, unicode.IsLower)
	wasUpper, wasLower := count(was, unicode.IsUpper), count(was, unicode.IsLower)
	if lower == 0 && wasLower > wasUpper || upper == 0 && wasUpper > 2 {
		return true
	}
	all, _ := lines(s)
	known, same := map[string]bool{}, map[string]bool{}
	for _, line := range old {
		known[strings.ToLower(line)], same[line] = true, true
	}
	capitals, others, words := 0, 0, map[string]bool{}
	for _, line := range all {
		first := strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
		switch {
		case first == "", same[line]:
		case !known[strings.ToLower(line)]:
			others++
		case unicode.IsUpper([]rune(first)[0]):
			capitals++
			words[strings.ToLower(strings.FieldsFunc(first, isNoWord)[0])] = true
		default:
			return false
		}
	}
	return capitals >= fewestCapitals && len(words) >= fewestCapitals && others > 0
}

func count(s string, is func(rune) bool) int {
	n := 0
	for _, r := range s {
		if is(r) {
			n++
		}
	}
	return n
}
