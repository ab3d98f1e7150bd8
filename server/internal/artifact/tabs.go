package artifact

// Tabs allows tabs in place of spaces.
var Tabs = Artifact{
	Name:    "tabs and spaces exchanged",
	Differs: "only tabs and spaces differ",
	Fix:     "Indent the lines as the file does",
	Several: true,
	Restore: reindent(isRetabbed),
}
