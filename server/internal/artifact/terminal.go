package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Terminal describes a text with escape sequences for terminal colors, or with the `^M` that a terminal shows for the
// carriage return at the end of a line.
var Terminal = Artifact{
	Signs:   "\x1b[^",
	Name:    "marks of a terminal",
	Differs: "without the colors and marks of a terminal",
	Fix:     "Leave out the marks of the terminal",
	Sure:    true,
	Undo:    unmarkTerminal,
	Shows: func(s string) bool {
		return strings.Contains(s, "\x1b[") || strings.Count(s, "[0m") > 1 || carriageReturn.MatchString(s)
	},
}

// carriageReturn matches a carriage return in caret notation at the end of a line.
var carriageReturn = lazyregexp.New(`(?m)\^M$`)

func unmarkTerminal(s string) (string, bool) {
	plain, colored := uncolor(s)
	out := carriageReturn.ReplaceAllString(plain, "")
	return out, colored || out != plain
}

// sequence matches the escape sequences of colors, links and titles.
var sequence = lazyregexp.New("\x1b(?:\\[[0-9;:?]*[A-Za-z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[()][A-Z0-9])")

// bareSequence matches the sequence of a color that lost its first, invisible character.
var bareSequence = lazyregexp.New(`\[\d{1,3}(?:;\d{1,3})*m`)

// escapedSequence matches the beginning of an escape sequence in source code, such as `\x1b[`.
var escapedSequence = lazyregexp.New(`(?i)(?:\\e|\\0?33|\\x1b|\\u001b|\\u\{1b\}|ESC)\[`)

func uncolor(s string) (string, bool) {
	of := sequence
	if !strings.Contains(s, "\x1b") {
		if !strings.Contains(s, "[0m") || escapedSequence.MatchString(s) {
			return s, false
		}
		of = bareSequence
	}
	out := of.ReplaceAllString(s, "")
	return out, out != s
}
