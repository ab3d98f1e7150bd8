package artifact

import "strings"

// LineEnding allows other line endings.
var LineEnding = Artifact{
	Signs:       "\r",
	Name:        "line endings",
	Origin:      "Editors, operating systems and git differ in their line endings.",
	Differs:     "only line endings differ",
	Forgives:    "LF, CRLF and CR are the same.",
	Certain:     "Yes: a model cannot see line endings, so it cannot mean them. A find is applied by this rule. A hunk of a git patch gets a fix instead, because git would refuse it.",
	Replacement: "A line that stays keeps its own ending. A new line gets the ending that most lines of the file have.",
	Fold:        withLF,
	Silent:      map[string]string{WholeText: "the file keeps its own line endings; only a git patch sets them", Piece: "the file keeps its own line endings; only a git patch sets them", NewFile: "a new file may have any line endings; only a git patch sets them"},
	Own:         "a notation that cannot express line endings keeps those of the file",
	Undo:        changing(func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n") }),
	Do: []func(string) string{
		func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	},
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
