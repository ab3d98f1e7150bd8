package artifact

import "strings"

// TrailingSpace accepts white space at the ends of lines.
var TrailingSpace = Artifact{
	Silent:      map[string]string{NewFile: "nothing to compare it with; its own text may be so"},
	Name:        "trailing white space",
	Origin:      "Terminals fill lines up with spaces; models leave out white space that they cannot see.",
	Differs:     "only white space at line ends differs",
	Forgives:    "Spaces and tabs at the ends of lines, a last line without an ending, and a byte order mark at the beginning of the file.",
	Certain:     "Yes, where the passage is long enough to be no accident and is found once: the reply means the text, and shows no other place.",
	Replacement: "Lines that it repeats from the passage are kept as the file has them.",
	Fold:        trimEnd,
	Undo:        untrail,
	Loses:       "white space at the ends of lines that is meant",
	Do:          []func(string) string{perLine(func(_ int, line string) string { return line + "  " })},
	Examples:    []Example{{"a  \nb\t\n", "a\nb\n"}, {Text: "a\n"}},
}

// untrail removes white space at the end of lines if all lines have it. If only some have
// it, it is their own.
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
