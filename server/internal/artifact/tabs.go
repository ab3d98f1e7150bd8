package artifact

// Tabs allows tabs in place of spaces.
var Tabs = Artifact{
	Name:        "tabs against spaces",
	Origin:      "Editors, pages and models write tabs as spaces, or the reverse.",
	Differs:     "only tabs and spaces differ",
	Forgives:    "Indentation by tabs in place of spaces, or the reverse, if every line keeps its depth.",
	Certain:     "Yes, under the conditions for trailing white space, if the lines show how wide a tab is, so that no line moves.",
	Replacement: "Its indentation is rewritten in the style of the file.",
	Fix:         "Indent the lines as the file does",
	Several:     true,
	Restore:     reindent(isRetabbed),
}
