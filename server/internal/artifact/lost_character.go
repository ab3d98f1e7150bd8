package artifact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// LostCharacter describes a text whose characters beyond ASCII are missing or replaced.
var LostCharacter = Artifact{
	Lost:        "é",
	Name:        "lost characters",
	Origin:      "A program that supports only ASCII writes `?` or nothing for other characters, and models write letters without their accents.",
	Differs:     "only characters beyond ASCII differ",
	Fix:         "Write the characters that the file has",
	Forgives:    "Letters without accents, and `?`, `�` or nothing in place of other characters.",
	Certain:     "No: the edit may be meant to change these characters. The fix is offered.",
	Replacement: "Lines that the file has are written as in the file.",
	Restore:     restoring(asciiOnly),
}

// asciiOnly returns a line without its characters beyond ASCII, and without their usual
// substitutes.
func asciiOnly(line string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(PlainText(line)) {
		if r < utf8.RuneSelf && r != '?' && !unicode.IsSpace(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// restoring returns a function that replaces lines by the old lines with characters beyond
// ASCII that fold to the same text.
func restoring(fold func(string) string) func(string, []string) (string, bool) {
	return func(s string, old []string) (string, bool) {
		lost := map[string]string{}
		for _, line := range old {
			if isASCII(line) {
				continue
			}
			key := fold(line)
			if had, ok := lost[key]; ok && had != line {
				line = ""
			}
			lost[key] = line
		}
		if len(lost) == 0 {
			return s, false
		}
		return eachLine(func(line string) string {
			if !isASCII(strings.ReplaceAll(line, "\ufffd", "")) {
				return line // a line that loses one character loses all
			}
			if was := lost[fold(line)]; was != "" && indentation(was) == indentation(line) && 2*nonBlanks(line) > nonBlanks(was) {
				return was
			}
			return line
		})(s)
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
