package locate

import "strings"

// LineEndingRule forgives how lines end.
var LineEndingRule = Rule{
	Name:        "line endings",
	Differs:     "only line endings differ",
	Forgives:    "LF, CRLF and CR are the same.",
	Certain:     "Yes: a model cannot see line endings, so it cannot mean them. A find is applied by this rule; a hunk of a git patch is not, because git would refuse it, and gets a fix.",
	Replacement: "A line that stays keeps its own ending. A new line gets the ending that most lines of the file have.",
	Fold:        withLF,
}

func withLF(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return line[:len(line)-2] + "\n"
	case strings.HasSuffix(line, "\r"):
		return line[:len(line)-1] + "\n"
	}
	return line
}
