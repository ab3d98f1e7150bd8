package artifact

// EdgeLine accepts a difference in the first or the last line.
var EdgeLine = Artifact{
	Name:        "edge line",
	Differs:     "without the first or the last line",
	Forgives:    "A first or a last line of the passage that the file does not have there, when the replacement repeats it and the rest is found by a rule above.",
	Certain:     "No. The fix is offered.",
	Replacement: "It is put in without that line too.",
}
