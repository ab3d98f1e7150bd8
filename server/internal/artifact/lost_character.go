package artifact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// LostCharacter describes a text whose non-ASCII characters are missing or replaced.
var LostCharacter = Artifact{
	Lost:    "é",
	Name:    "lost characters",
	Differs: "only non-ASCII characters differ",
	Fix:     "Use the characters of the file",
	Restore: func(s string, old []string) (string, bool) {
		if !hasNonASCII(old) || PlainText(s) == PlainText(strings.Join(old, "\n")) {
			// If nothing else was edited, a person may have asked for plain characters.
			return s, false
		}
		if out, ok := restoring(asciiOnly, lostNonASCII)(s, old); ok {
			return out, ok
		}
		return restoring(withoutNonASCII, lostNonASCII)(s, old)
	},
	Asked: true,
}

func lostNonASCII(was, line string) bool {
	// Only letters and typographic characters count: emoji are decorative and may be left out on purpose, and a plain
	// space does no harm.
	lost := func(r rune) bool { return r >= utf8.RuneSelf && (unicode.IsLetter(r) || !text.IsBlank(Plain(r))) }
	// A program that removes one non-ASCII character removes all of them.
	return strings.ContainsFunc(was, lost) && text.IsASCII(strings.ReplaceAll(line, "\ufffd", ""))
}

// withoutNonASCII drops the non-ASCII characters of a line, and the usual substitutes for them: `?` and white space.
func withoutNonASCII(line string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf || r == '?' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, PlainText(line))
}

// asciiOnly writes `e` for `é`, and drops the other characters that [withoutNonASCII] drops.
func asciiOnly(line string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(PlainText(line)) {
		if r < utf8.RuneSelf && r != '?' && !unicode.IsSpace(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// restoring returns an [Artifact.Restore] that replaces a line with the old line that folds to the same text, if
// `differ` reports that the artifact explains the difference.
func restoring(fold func(string) string, differ func(was, line string) bool) func(string, []string) (string, bool) {
	return func(s string, old []string) (string, bool) {
		lost, most := map[string]string{}, 0
		for line := range strings.SplitSeq(s, "\n") {
			most = max(most, nonBlanks(line))
		}
		for _, line := range old {
			if nonBlanks(line) >= 2*most {
				continue // No new line is similar enough to this old line.
			}
			key := fold(line)
			if had, ok := lost[key]; ok && had != line {
				line = ""
			}
			lost[key] = line
		}
		return eachLine(func(line string) string {
			if was := lost[fold(line)]; was != "" && was != line && text.Indentation(was) == text.Indentation(line) && 2*nonBlanks(line) > nonBlanks(was) && differ(was, line) {
				return was
			}
			return line
		})(s)
	}
}

func always(string, string) bool { return true }

func hasNonASCII(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return !text.IsASCII(line) })
}
