package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Indentation allows all lines to be shifted by the same amount.
var Indentation = Artifact{
	Name:    "a uniform indentation shift",
	Differs: "only the indentation differs",
	Fold:    func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
	Fix:     "Indent the lines as the file does",
	Undo:    dedent,
	Restore: reindent(isShift),
	Loses:   "how far the lines were indented",
}

func dedent(s string) (string, bool) {
	all, eol := lines(s)
	common, first := "", true
	for _, line := range all {
		switch {
		case text.IsBlank(line):
		case first:
			common, first = text.Indentation(line), false
		default:
			common = common[:text.SharedStart(common, text.Indentation(line))]
		}
	}
	for i, line := range all {
		all[i] = strings.TrimPrefix(line, common)
	}
	return strings.Join(all, eol), common != ""
}
