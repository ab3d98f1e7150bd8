package artifact

// Exact allows no difference.
var Exact = Artifact{
	Name:        "exact",
	Forgives:    "Nothing: every byte is the same.",
	Certain:     "Yes. Every format applies such a passage as it is.",
	Replacement: "It is inserted as written.",
	Fold:        func(line string) string { return line },
}
