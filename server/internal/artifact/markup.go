package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Markup describes a text with the HTML tags that web pages use to show code.
var Markup = Artifact{
	Signs:   "<&",
	Name:    "markup of a page",
	Differs: "without the markup of a page",
	Fix:     "Leave out the markup",
	Undo:    unmark,
	Shows:   marksLines,
	Prose:   true,
	Loses:   "tags that belong to the text",
}

// marksLines reports whether a text has at least three lines, each ending with a tag that pages use to show code.
func marksLines(s string) bool {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if m := markupTag.FindAllStringIndex(line, -1); len(m) == 0 || m[len(m)-1][1] != len(line) {
			return false
		}
		n++
	}
	return n > 2
}

var markupTag = lazyregexp.New(`(?i)<br ?/?>$|</?(?:span|code|pre|font|b|i|u|s|em|strong|mark|ins|kbd|tt)(?: [^<>]*)?>`)

func unmark(s string) (string, bool) {
	if !strings.Contains(s, "<") {
		return s, false
	}
	out, ok := eachLine(func(line string) string { return markupTag.ReplaceAllString(line, "") })(s)
	if !ok {
		return s, false
	}
	if plain, ok := unescape(out); ok && Escaped(out) {
		return plain, true
	}
	return out, true
}
