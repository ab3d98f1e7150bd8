package locate

import "strings"

// LineEndingRule forgives how lines end.
var LineEndingRule = Rule{
	Name:        "line endings",
	Differs:     "only line endings differ",
	Forgives:    "LF, CRLF and CR are the same. For a fix, so is a last line without an ending.",
	Certain:     "Yes: a model cannot see line endings, so it cannot mean them. A find is applied by this rule; a hunk of a git patch is not, because git would refuse it, and gets a fix.",
	Replacement: "A line that stays keeps its own ending. A new line gets the ending that most lines of the file have.",
	Fold:        func(line string) string { return strings.TrimRight(line, "\r\n") },
}
