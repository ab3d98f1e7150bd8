package locate

import "strings"

// A Level is what two lines may differ in and still count as the same. Each forgives
// what those before it forgive.
type Level int

// The levels.
const (
	Exact         Level = iota
	LineEnding          // CRLF, CR, LF, or none at all
	TrailingSpace       // besides, white space at the end, and a byte order mark
	Indented            // besides, white space at the beginning
	Spacing             // besides, how much white space there is between words
	LookAlike           // besides, white space between any characters, and kinds of quotes and dashes
	levels        = iota
)

const mark = "\xef\xbb\xbf"

// Fold is what two lines that are the same to the level have in common.
func (l Level) Fold(line string) string {
	switch l {
	case LineEnding:
		return strings.TrimRight(line, "\r\n")
	case TrailingSpace:
		return trimEnd(line)
	case Indented:
		return strings.TrimLeft(trimEnd(line), blanks)
	case Spacing:
		return squeeze(strings.TrimLeft(trimEnd(line), blanks))
	case LookAlike:
		return Fold(line).Text
	}
	return line
}

func trimEnd(line string) string {
	return strings.TrimPrefix(strings.TrimRight(line, " \t\r\n"), mark)
}

// squeeze is line with one space for each run of white space.
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

// Same reports whether two passages of whole lines are the same to the level.
func (l Level) Same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && l.Fold(a[i]) != l.Fold(b[i]) {
			return false
		}
	}
	return true
}
