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
	var labels []string
	for _, line := range all {
		if m := fenceLine.FindStringSubmatch(line); m != nil {
			labels = append(labels, m[2])
		}
	}
	odd := len(labels)%2 == 1
	// If the first block ends before the next one begins, the fence in the first line does not enclose the text.
	inARow := len(labels) > 2 && labels[1] == "" && labels[2] != ""
	first, last := 0, len(all)-1
	for first < last && text.IsBlank(all[first]) {
		first++
	}
	for last > first && text.IsBlank(all[last]) {
		last--
	}
	opens, closing := fenceLine.MatchString(all[first]), fenceLine.FindStringSubmatch(all[last])
	closes := first < last && closing != nil && closing[2] == ""
	switch {
	case opens && closes && !odd && !inARow:
		return strings.Join(all[first+1:last], ""), true
	case closes && odd && !opens:
		return strings.Join(all[:last], ""), true
	case opens && odd && !inARow:
		return strings.Join(all[first+1:], ""), true
	}
	return s, false
}
