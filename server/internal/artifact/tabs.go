package artifact

// Tabs allows tabs in place of the file's spaces, and spaces in place of its tabs.
var Tabs = Artifact{
	Name:    "tabs and spaces exchanged",
	Differs: "only tabs and spaces differ",
	Fix:     "Indent the lines as the file does",
	Several: true,
	Restore: reindent(isRetabbed),
}
