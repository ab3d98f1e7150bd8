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
