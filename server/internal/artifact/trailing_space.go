package artifact

import "strings"

// TrailingSpace allows white space at the ends of lines.
var TrailingSpace = Artifact{
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "trailing white space",
	Origin:      "Terminals pad lines with spaces; models leave out invisible white space.",
	Differs:     "only white space at line ends differs",
	Forgives:    "Spaces and tabs at the ends of lines, a missing ending of the last line, and a byte order mark at the beginning of the file.",
	Certain:     "Yes, if the passage is too long to match by accident and occurs once, so that no other place can be meant.",
	Replacement: "Lines that it shares with the passage stay as in the file.",
	Fold:        trimEnd,
	Undo:        untrail,
	Loses:       "white space that is meant to be at the ends of lines",
	Do:          []func(string) string{perLine(func(_ int, line string) string { return line + "  " })},
}

// untrail removes the white space at the ends of lines if all lines have some. If only a few have
// it, it belongs to them.
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
