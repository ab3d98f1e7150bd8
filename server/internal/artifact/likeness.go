package artifact

// Likeness accepts any difference if enough of the text stays.
var Likeness = Artifact{
	Name:        "likeness",
	Differs:     "it is alike",
	Forgives:    "Changed, missing and added characters and lines, if at least 60 % of the characters are the same in the same order (75 % for one short line).",
	Certain:     "Never. The closest places are offered with their likeness, the best first.",
	Replacement: "It gets the indentation of the text there; a second fix merges it with the other differences there.",
}
