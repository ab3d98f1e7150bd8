package artifact

// Likeness allows any difference if enough of the text stays.
var Likeness = Artifact{
	Name:    "likeness",
	Differs: "the text is similar",
}
