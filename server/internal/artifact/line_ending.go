package artifact

import "strings"

// LineEnding accepts different line endings.
var LineEnding = Artifact{
	Signs:       "\r",
	Name:        "line endings",
	Origin:      "Editors, systems and git each have their own line endings.",
	Differs:     "only line endings differ",
	Forgives:    "LF, CRLF and CR are the same.",
	Certain:     "Yes: a model cannot see line endings, so it cannot mean them. A find is applied by this rule; a hunk of a git patch is not, because git would refuse it, and gets a fix.",
	Replacement: "A line that stays keeps its own ending. A new line gets the ending that most lines of the file have.",
	Fold:        withLF,
	Silent:      map[string]string{WholeText: "the file keeps its own line endings; a git patch gives the bytes", Piece: "the file keeps its own line endings; a git patch gives the bytes", NewFile: "it may have any; a git patch gives the bytes"},
	Own:         "a notation that cannot express line endings keeps those of the file",
	Undo:        changing(func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n") }),
	Do: []func(string) string{
		func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	},
	Examples: []Example{{"a\r\nb\r", "a\nb\n"}, {Text: "a\n"}},
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
