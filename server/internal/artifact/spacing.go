package artifact

import "strings"

// Spacing accepts a different amount of white space between words.
var Spacing = Artifact{
	Name:        "spacing",
	Origin:      "Pages show several spaces as one; models align, or stop aligning.",
	Differs:     "only white space differs",
	Forgives:    "One space for several, or for tabs, between words.",
	Certain:     "No: white space inside a line can have a meaning. The fix is offered.",
	Replacement: "It is merged with the text there, whose other differences stay.",
	Fold:        func(line string) string { return squeeze(strings.TrimLeft(trimEnd(line), spaces)) },
}

// squeeze returns a line with one space for each run of white space.
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
