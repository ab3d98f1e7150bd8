package artifact

// Likeness allows any difference, provided that enough of the text stays the same.
var Likeness = Artifact{
	Name:    "likeness",
	Differs: "the text is similar",
}
