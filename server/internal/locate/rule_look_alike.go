package locate

// LookAlikeRule forgives characters that look like others.
var LookAlikeRule = Rule{
	Name:        "look-alikes",
	Differs:     "only quotes, dashes or white space differ",
	Forgives:    "Typographic quotes and dashes, ellipses, no-break spaces, full-width letters and invisible characters, and any white space.",
	Certain:     "No: the file may need the characters that it has. The fix is offered.",
	Replacement: "It is merged with the text there, with plain characters where the file has plain ones.",
	Fold:        func(line string) string { return Fold(line).Text },
}
