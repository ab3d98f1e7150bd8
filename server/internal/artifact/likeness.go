package artifact

// Likeness allows any difference if enough of the text stays.
var Likeness = Artifact{
	Name:        "likeness",
	Differs:     "it is similar",
	Forgives:    "Changed, missing and added characters and lines, if at least 60 % of the characters are the same in the same order (75 % for one short line).",
	Certain:     "Never. The most similar places are offered with their similarity, the best first.",
	Replacement: "It gets the indentation of the text at that place. A second fix also keeps the other differences of that text.",
}
