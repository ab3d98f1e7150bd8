package artifact

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// PageSpace describes a text with the spaces of a web page: no-break spaces at the start of
// lines, and characters without width.
var PageSpace = Artifact{
	Signs:    "é",
	Name:     "spaces of web pages",
	Differs:  "only invisible characters differ",
	Fix:      "Write plain spaces",
	Sure:     true,
	Undo:     changing(PlainSpaces),
	Unwanted: true,
	Shows:    func(s string) bool { return PlainSpaces(s) != s },
}

// noWidth removes the invisible characters that web pages add to copied text. It keeps the characters that join emoji
// and the letters of some scripts.
var noWidth = strings.NewReplacer("\u200b", "", "\u2060", "", "\ufeff", "", "\u00ad", "")

// separators replaces the line and paragraph separators of Unicode with line endings. Fewer than fewestSeparators may
// be intended, so they stay.
var separators = strings.NewReplacer("\u2028", "\n", "\u2029", "\n", "\u0085", "\n")

const fewestSeparators = 3

var pageCharacters = []string{"\u00a0", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u2028", "\u2029", "\u0085"}

// PlainSpaces removes zero-width characters from the text. It writes a letter and its accent as one character. It
// replaces no-break spaces at the start of lines with spaces, and several line separators with line endings.
func PlainSpaces(s string) string {
	s = norm.NFC.String(s)
	// This test saves a tenth of the time for a large bundle.
	if !slices.ContainsFunc(pageCharacters, func(c string) bool { return strings.Contains(s, c) }) {
		return s
	}
	s = noWidth.Replace(s)
	if strings.Count(s, "\u2028")+strings.Count(s, "\u2029")+strings.Count(s, "\u0085") >= fewestSeparators {
		s = separators.Replace(s)
	}
	var b strings.Builder
	for _, line := range text.SplitLines(s) {
		rest := strings.TrimLeft(line, " \t\u00a0")
		b.WriteString(strings.ReplaceAll(line[:len(line)-len(rest)], "\u00a0", " "))
		b.WriteString(rest)
	}
	return b.String()
}

// ParameterHint describes a text with the hints of an editor, which shows the name of a parameter before each argument.
var ParameterHint = Artifact{
	Signs:   ":",
	Lost:    "(",
	Name:    "an editor's parameter hints",
	Differs: "without parameter names before the arguments",
	Fix:     "Leave out the parameter names",
	Undo:    eachLine(func(line string) string { return hint.ReplaceAllString(line, "$1") }),
	Loses:   "names before colons that belong to the code, such as named arguments",
	Asked:   true,
}

// hint matches a name before an argument, and the sign before the name.
var hint = lazyregexp.New(`([(,] ?)(?:\.\.\.)?[A-Za-z_]\w*: ?`)

// Terminal describes a text with escape sequences for terminal colors, or with the `^M` that a terminal shows for the
// carriage return at the end of a line.
var Terminal = Artifact{
	Signs:   "\x1b[^",
	Name:    "control characters of a terminal",
	Differs: "without the colors and control characters of a terminal",
	Fix:     "Leave out the control characters of the terminal",
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
