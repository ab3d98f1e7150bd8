package artifact

import "strings"

// Indentation allows all lines to be shifted by the same amount.
var Indentation = Artifact{
	Name:    "uniform indentation shift",
	Differs: "only the indentation differs",
	Fold:    func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
	Fix:     "Indent the lines as the file does",
	Restore: reindent(isShift),
	Loses:   "how far the lines were indented",
}
