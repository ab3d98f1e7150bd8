package artifact

// Likeness allows any difference, as long as enough of the text stays the same.
var Likeness = Artifact{
	Name:    "likeness",
	Differs: "the text is similar",
}
