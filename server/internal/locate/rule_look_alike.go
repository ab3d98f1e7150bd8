package locate

import (
	"strings"
	"unicode/utf8"
)

// LookAlikeRule forgives characters that look like others.
var LookAlikeRule = Rule{
	Name:        "look-alikes",
	Differs:     "only quotes, dashes or white space differ",
	Forgives:    "Typographic quotes and dashes, ellipses, no-break spaces, full-width letters and invisible characters, and any white space. In a hunk, which is compared line by line, only quotes, dashes, ellipses and special spaces, besides what the spacing rule forgives.",
	Certain:     "No: the file may need the characters that it has. The fix is offered.",
	Replacement: "It is merged with the text there, with plain characters where the file has plain ones.",
	// In lines, the white space between words still counts: without it, too much is alike
	// for a hunk to be known by.
	Fold: func(line string) string { return SpacingRule.Fold(plain(line)) },
}

// plain is line with the plain characters for those that look like them, see [Plain].
func plain(line string) string {
	if strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if p := Plain(r); p != "" {
			b.WriteString(p)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
