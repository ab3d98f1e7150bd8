package artifact

// EdgeLine allows a difference in the first or the last line.
var EdgeLine = Artifact{
	Name:    "edge line",
	Differs: "without the first or the last line",
}
