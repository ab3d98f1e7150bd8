package artifact

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Spacing allows more or less white space between words.
var Spacing = Artifact{
	Name:    "spacing",
	Differs: "only white space differs",
	Fold:    func(line string) string { return squeeze(strings.TrimLeft(trimEnd(line), spaces)) },
	Fix:     "Use the white space of the file",
	Several: true,
	Restore: func(s string, old []string) (string, bool) {
		joined := 0
		out, _ := restoring(text.WithoutSpace, func(was, line string) bool {
			if slices.Equal(text.Names(was), text.Names(line)) {
				return false
			}
			joined++
			return true
		})(s, old)
		return out, joined >= fewestJoined
	},
}

// fewestJoined is the smallest number of lines that prove that a program, and not a person, joined or split words.
const fewestJoined = 3

func squeeze(line string) string {
	if !strings.Contains(line, "\t") && !strings.Contains(line, "  ") {
		return line
	}
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' }) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// Exact allows no difference.
var Exact = Artifact{
	Name: "exact",
	Fold: func(line string) string { return line },
}

// Likeness allows any difference, provided that enough of the text stays the same.
var Likeness = Artifact{
	Name:    "likeness",
	Differs: "the text is similar",
}

// EdgeLine allows the first or the last line to differ.
var EdgeLine = Artifact{
	Name:    "edge line",
	Differs: "without the first or the last line",
}

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

// TrailingSpace allows white space at the ends of lines.
var TrailingSpace = Artifact{
	Name:    "trailing white space",
	Differs: "only white space at line ends differs",
	Fold:    trimEnd,
	Undo:    untrail,
	Loses:   "white space that is meant to be at the ends of lines",
}

// untrail removes the white space at the ends of lines if all lines have some. In only a few lines, it may be intended.
func untrail(s string) (string, bool) {
	all, eol := lines(s)
	for i, line := range all {
		all[i] = strings.TrimRight(line, spaces)
		if all[i] == line && line != "" {
			return s, false
		}
	}
	out := strings.Join(all, eol)
	return out, out != s
}

const mark = "\xef\xbb\xbf"

func trimEnd(line string) string {
	return strings.TrimPrefix(strings.TrimRight(line, " \t\r\n"), mark)
}

// Unjoined describes white space after a backslash at the end of a line, which then no longer joins the line below. A
// search for a passage ignores it as [TrailingSpace].
var Unjoined = Artifact{Name: "white space after the backslash at the end of a line"}

// Tabs allows tabs in place of the file's spaces, and spaces in place of its tabs.
var Tabs = Artifact{
	Name:    "tabs and spaces exchanged",
	Differs: "only tabs and spaces differ",
	Fix:     "Indent the lines as the file does",
	Several: true,
	Restore: reindent(isRetabbed),
}

// Indentation allows all lines to be shifted by the same amount.
var Indentation = Artifact{
	Name:    "a uniform indentation shift",
	Differs: "only the indentation differs",
	Fold:    func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
	Fix:     "Indent the lines as the file does",
	Undo:    dedent,
	Restore: reindent(isShift),
	Loses:   "how far the lines were indented",
}

func dedent(s string) (string, bool) {
	all, eol := lines(s)
	common, first := "", true
	for _, line := range all {
		switch {
		case text.IsBlank(line):
		case first:
			common, first = text.Indentation(line), false
		default:
			common = common[:text.SharedStart(common, text.Indentation(line))]
		}
	}
	for i, line := range all {
		all[i] = strings.TrimPrefix(line, common)
	}
	return strings.Join(all, eol), common != ""
}
