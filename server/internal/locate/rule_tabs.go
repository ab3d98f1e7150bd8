package locate

// TabsRule forgives tabs in place of spaces.
var TabsRule = Rule{
	Name:        "tabs against spaces",
	Differs:     "only tabs and spaces differ",
	Forgives:    "Indentation by tabs where the file has spaces, or the other way round, when every line keeps its depth.",
	Certain:     "Yes, on the same terms as trailing white space, where the width of a tab follows from the lines: no line moves.",
	Replacement: "Its indentation is rewritten the way the file is indented.",
}
