package artifact

// Tabs accepts tabs in place of spaces.
var Tabs = Artifact{
	Name:        "tabs against spaces",
	Origin:      "Editors, pages and models write tabs as spaces, or the other way round.",
	Differs:     "only tabs and spaces differ",
	Forgives:    "Indentation by tabs where the file has spaces, or the other way round, when every line keeps its depth.",
	Certain:     "Yes, on the same terms as trailing white space, where the width of a tab follows from the lines: no line moves.",
	Replacement: "Its indentation is rewritten the way the file is indented.",
	Fix:         "Indent the lines as the file does",
	Restore:     reindent(isRetabbed),
}
