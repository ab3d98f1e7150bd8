package artifact

// Tabs allows tabs where the file has spaces, and spaces where it has tabs.
var Tabs = Artifact{
	Name:    "tabs and spaces exchanged",
	Differs: "only tabs and spaces differ",
	Fix:     "Indent the lines as the file does",
	Several: true,
	Restore: reindent(isRetabbed),
}
