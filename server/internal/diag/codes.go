package diag

import (
	"cmp"
	"slices"
)

// A Code names a kind of diagnostic. It is kebab-case and stable: people filter
// on it, and docs/diagnostics.md has a section for each.
type Code string

// A Doc is what docs/diagnostics.md says of a code.
type Doc struct {
	Code     Code
	Severity Severity // the usual one
	Meaning  string   // what was found and why it matters, in a sentence or two
	Before   string   // an example that gives it
	After    string   // the example repaired
	Fix      string   // what the quick-fix does; "" where none is offered
}

// Docs is every code that the program can give, sorted by name. A test holds
// that no code is given elsewhere, and that each has a case.
func Docs() []Doc {
	docs := slices.Concat(jsonDocs, bundleDocs, editDocs, hunkDocs, gitDocs, apDocs, linesDocs, planDocs, lintDocs, blockDocs)
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Code, b.Code) })
	return docs
}
