package locate

import "strings"

// IndentationRule forgives an indentation that is shifted as a whole.
var IndentationRule = Rule{
	Name:        "uniform indentation shift",
	Differs:     "only the indentation differs",
	Forgives:    "A passage that is indented further, or less far, by the same amount in every line.",
	Certain:     "Yes, where the passage says enough (more than for the rules above), is found once whatever its white space, and nothing suggests that the replacement is indented for the place already. No, where lines shift by different amounts.",
	Replacement: "It is shifted as the passage is. Lines that it repeats are kept as the file has them.",
	Fold:        func(line string) string { return strings.TrimLeft(trimEnd(line), spaces) },
}
