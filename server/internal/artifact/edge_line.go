package artifact

// EdgeLine allows a difference in the first or the last line.
var EdgeLine = Artifact{
	Name:        "edge line",
	Differs:     "without the first or the last line",
	Forgives:    "A first or last line of the passage that is not at that place in the file, if the replacement repeats the line and a rule above finds the rest.",
	Certain:     "No. The fix is offered.",
	Replacement: "The same line is left out of it.",
}
