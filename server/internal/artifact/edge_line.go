package artifact

// EdgeLine accepts a difference in the first or the last line.
var EdgeLine = Artifact{
	Name:        "edge line",
	Differs:     "without the first or the last line",
	Forgives:    "A first or last line of the passage that the file does not have there, if the replacement repeats it and a rule above finds the rest.",
	Certain:     "No. The fix is offered.",
	Replacement: "It is inserted without that line, too.",
}
