package artifact

import "strings"

// Indentation allows an indentation of which all lines are shifted by the same amount.
var Indentation = Artifact{
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "uniform indentation shift",
	Origin:      "A text is written inside a list, tags or a string, or copied without the block around it.",
	Differs:     "only the indentation differs",
	Forgives:    "A passage whose lines are all indented more, or less, by the same amount.",
	Certain:     "Yes, if the passage is long enough (longer than the rules above require), occurs once even if white space is ignored, and nothing suggests that the replacement already has the indentation of its place. No, if lines are shifted by different amounts.",
	Replacement: "It is shifted like the passage. Lines that it shares with the passage stay as in the file.",
	Fold:        func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
	Fix:         "Indent the lines as the file does",
	Undo:        dedent,
	Restore:     reindent(isShift),
	Loses:       "how far the lines were indented",
	Do:          []func(string) string{indenting("    "), indenting("\t")},
}

func indenting(by string) func(string) string {
	return perLine(func(_ int, line string) string {
		if isBlank(line) {
			return line
		}
		return by + line
	})
}

// dedent removes the indentation that all lines have in common.
func dedent(s string) (string, bool) {
	all, eol := lines(s)
	common, first := "", true
	for _, line := range all {
		switch {
		case isBlank(line):
		case first:
			common, first = indentation(line), false
		default:
			common = commonPrefix(common, indentation(line))
		}
	}
	for i, line := range all {
		all[i] = strings.TrimPrefix(line, common)
	}
	return strings.Join(all, eol), common != ""
}

// FlatText describes a text whose lines lost their indentation.
var FlatText = Artifact{
	Name:        "lost indentation",
	Origin:      "Pages and chat windows drop the white space at the beginning of lines.",
	Differs:     "only the indentation differs",
	Fix:         "Indent the lines as the file does",
	Forgives:    "Lines without any indentation, if the lines of the file have several depths.",
	Certain:     "No: the indentation of new lines is unknown. The fix is offered.",
	Replacement: "Its lines that are also in the file get the indentation of the file.",
	Restore:     reindent(isFlat),
}
