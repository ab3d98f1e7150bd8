package artifact

// EdgeLine allows the first or the last line to differ.
var EdgeLine = Artifact{
	Name:    "edge line",
	Differs: "without the first or the last line",
}
