package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Fence describes a text with a Markdown fence around it, or at one of its ends.
var Fence = Artifact{
	Signs:   "`~",
	Ends:    true,
	Name:    "a Markdown fence",
	Differs: "without the fence around it",
	Fix:     "Leave out the fence",
	Sure:    true,
	Undo:    unfence,
	Shows:   func(s string) bool { _, ok := unfence(s); return ok },
	Prose:   true,
}

var fenceLine = lazyregexp.New("^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\\w+#.:/=-]*)[^`\r\n]*\r?\n?$")

func unfence(s string) (string, bool) {
	if !strings.Contains(s, "```") && !strings.Contains(s, "~~~") {
		return s, false
	}
	all := text.SplitLines(s)
	fences := text.Count(all, fenceLine.MatchString)
	first, last := 0, len(all)-1
	for first < last && isBlank(all[first]) {
		first++
	}
	for last > first && isBlank(all[last]) {
		last--
	}
	opens, closing := fenceLine.MatchString(all[first]), fenceLine.FindStringSubmatch(all[last])
	closes := first < last && closing != nil && closing[2] == ""
	switch {
	case opens && closes && fences%2 == 0:
		return strings.Join(all[first+1:last], ""), true
	case closes && fences%2 == 1 && !opens:
		return strings.Join(all[:last], ""), true
	case opens && fences%2 == 1:
		return strings.Join(all[first+1:], ""), true
	}
	return s, false
}
