package artifact

import "strings"

// Indentation accepts an indentation that is shifted as a whole.
var Indentation = Artifact{
	Silent:      map[string]string{NewFile: "nothing to compare it with; its own text may be so"},
	Name:        "uniform indentation shift",
	Origin:      "A text is written in a list, in tags or in a string, or copied without the block around it.",
	Differs:     "only the indentation differs",
	Forgives:    "A passage that is indented further, or less far, by the same amount in every line.",
	Certain:     "Yes, where the passage says enough (more than for the rules above), is found once whatever its white space, and nothing suggests that the replacement is indented for the place already. No, where lines shift by different amounts.",
	Replacement: "It is shifted as the passage is. Lines that it repeats are kept as the file has them.",
	Fold:        func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
	Fix:         "Indent the lines as the file does",
	Undo:        dedent,
	Restore:     reindent(isShift),
	Loses:       "how far the lines were indented",
	Do:          []func(string) string{indenting("    "), indenting("\t")},
	Examples:    []Example{{"    a\n\n      b\n", "a\n\n  b\n"}, {Text: "a\n  b\n"}},
}

func indenting(by string) func(string) string {
	return perLine(func(_ int, line string) string {
		if isBlank(line) {
			return line
		}
		return by + line
	})
}

// dedent removes the indentation that all lines share.
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
	Origin:      "Pages and chat windows drop the white space that lines begin with.",
	Differs:     "only the indentation differs",
	Fix:         "Indent the lines as the file does",
	Forgives:    "Lines without any indentation, where the file has several depths.",
	Certain:     "No: how new lines are to be indented is not known. The fix is offered.",
	Replacement: "Lines that the file has are indented as they are there.",
	Restore:     reindent(isFlat),
}
