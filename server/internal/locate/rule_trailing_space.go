package locate

import "strings"

// TrailingSpaceRule forgives white space at the ends of lines.
var TrailingSpaceRule = Rule{
	Name:        "trailing white space",
	Differs:     "only white space at line ends differs",
	Forgives:    "Spaces and tabs at the ends of lines, a last line without an ending, and a byte order mark at the beginning of the file.",
	Certain:     "Yes, where the passage is long enough to be no accident and is found once: the reply means the text, and shows no other place.",
	Replacement: "Lines that it repeats from the passage are kept as the file has them.",
	Fold:        trimEnd,
}

const mark = "\xef\xbb\xbf"

func trimEnd(line string) string {
	return strings.TrimPrefix(strings.TrimRight(line, " \t\r\n"), mark)
}
