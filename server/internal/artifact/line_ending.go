package artifact

import "strings"

// LineEnding allows line endings that differ from the file's.
var LineEnding = Artifact{
	Signs:   "\r",
	Name:    "line endings",
	Differs: "only line endings differ",
	Fold:    withLF,
	Undo:    changing(func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n") }),
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
