package artifact

import "strings"

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
