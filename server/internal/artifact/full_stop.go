package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// FullStop describes code in which the keyboard of a phone turned two spaces into a full stop and a space, or put a
// space and a capital letter after a full stop.
var FullStop = Artifact{
	Signs:   ".",
	Name:    "full stops of a sentence",
	Differs: "without full stops as in a sentence",
	Fix:     "Write the code without full stops as in a sentence",
	Undo: eachLine(func(line string) string {
		line = stopBefore.ReplaceAllString(line, "$1  $2")
		return stopWithin.ReplaceAllStringFunc(line, func(m string) string {
			at := strings.LastIndex(m, ". ") + 1
			return m[:at] + strings.ToLower(m[at+1:at+2]) + m[at+2:]
		})
	}),
	Loses: "the case of letters",
	Prose: true,
	Shows: func(s string) bool {
		all, _ := lines(s)
		for _, line := range all {
			if strings.Contains(line, ". ") && (stopBefore.MatchString(line) || stopWithin.MatchString(line)) {
				return true
			}
		}
		return false
	},
}

// stopBefore matches a full stop in the indentation of a line. stopWithin matches a full stop before a call of a
// member.
var (
	stopBefore = lazyregexp.New(`^([ \t]*)\. ([ \t]+\S)`)
	stopWithin = lazyregexp.New(`[.=(] ?\w+(?:\(\))?\. [A-Z]\w*(?:\(| \{)`)
)
