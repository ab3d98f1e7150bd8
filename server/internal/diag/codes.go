package diag

import (
	"cmp"
	"slices"
	"sync"
)

// A Code names a kind of diagnostic. It is kebab-case and stable, because people filter on
// it. docs/diagnostics.md has a section for each code.
type Code string

// A Doc is the section of a code in docs/diagnostics.md.
type Doc struct {
	Code     Code
	Severity Severity // the only severity, or the usual one if Exceptions lists the code
	Meaning  string   // the finding, and why it matters, in a sentence or two
	Before   string   // an example that causes the diagnostic
	After    string   // the example after the repair
	Fix      string   // the effect of the quick-fix; "" if there is none
}

// Docs lists every code that the program can report, sorted by name. Tests check that no
// other code exists, and that cases show each code in each of its severities.
func Docs() []Doc {
	docs := slices.Concat(jsonDocs, bundleDocs, editDocs, hunkDocs, gitDocs, apDocs, linesDocs, searchDocs, shellDocs, callDocs, tagsDocs, wholeDocs, doubtDocs, planDocs, lintDocs, blockDocs)
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Code, b.Code) })
	return docs
}

// An Exception is an unusual severity of a code, and the condition for it.
type Exception struct {
	Severity Severity
	When     string // the condition; it follows "*Warning*" and has no full stop
}

// Exceptions lists every code with more than one severity, with those besides the usual one,
// worst first. Strict mode, which turns every warning into an error, is not listed.
var Exceptions = map[Code][]Exception{
	Alternative:      {{Error, "if the block undoes the change of an earlier one, so that a file would stay as it is"}},
	APAnchorOnly:     {{Warning, "in ap 3.2, which uses the anchor as the snippet"}},
	APBadID:          {{Warning, "in ap 3.2"}},
	APFence:          {{Warning, "around a patch of ap 3.2"}},
	APIDDrift:        {{Warning, "in content, if the ID is nearly the header's or the lines form a modification"}, {Info, "in content otherwise"}},
	APMissingContent: {{Warning, "if the content is empty, so that the action inserts nothing"}},
	APTruncated:      {{Warning, "in ap 3.1, if the patch ends with an empty content"}},
	FindAmbiguous:    {{Error, "if the text must occur only once, as in a tool call"}},
	FindConsumed:     {{Warning, skipsMissing}},
	FindNotFound:     {{Warning, skipsMissing}},
	GitNames:         {{Warning, "if git accepts the names nevertheless"}},
	GitNoHunks:       {{Warning, "if git creates an empty file"}},
	PathProject:      {{Error, "if the path without that name is an existing file or in an existing folder, or if that holds for another path of the reply"}},
	Unread:           {{Info, "if it may be a sample"}},
	LoneReturn:       {{Error, "if the change would join a CR and an LF into one line ending"}},
	SearchDivider:    {{Warning, "if the file has the text above several of them; the longest such text is then used"}},
	Omission:         {{Error, "in a whole file in a fence, because nothing says that such a fence shows all of the file"}},
	WholeFences:      {{Warning, "if the fences in the text pair, and one of them may be its end"}},
	PathProtected:    {{Warning, "in an editor"}},
}

const skipsMissing = "with `--skip-missing` or `aptix.missingFind`, which leave out the replacement"

// usual maps each code to its only or usual severity.
var usual = sync.OnceValue(func() map[Code]Severity {
	m := map[Code]Severity{}
	for _, d := range Docs() {
		m[d.Code] = d.Severity
	}
	return m
})
