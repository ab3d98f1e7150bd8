// Package codes documents each code of a diagnostic for people. docs/diagnostics.md is generated
// from it. The program itself needs only the codes and their severities.
package codes

import (
	"cmp"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// A Doc is the section of a code in docs/diagnostics.md.
type Doc struct {
	Code    diag.Code
	Meaning string // what was found, and why it matters, in a sentence or two
	Before  string // an example that causes the diagnostic
	After   string // the example after the repair
	Fix     string // the effect of the quick-fix; "" if there is none
}

// All lists every code that the program can report, sorted by name. Tests check that no
// other code exists, and that cases show each code in each of its severities.
func All() []Doc {
	docs := slices.Concat(jsonCodes, bundleCodes, editCodes, hunkCodes, gitCodes, apCodes, linesCodes, searchCodes, shellCodes, callCodes, tagsCodes, wholeCodes, doubtCodes, planCodes, lintCodes, blockCodes)
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Code, b.Code) })
	return docs
}

// An Exception is an unusual severity of a code, and the condition for it.
type Exception struct {
	Severity diag.Severity
	When     string // the condition, which follows "*Warning*" and has no full stop
}

// Exceptions lists every code that has more than one severity, with its unusual severities, the
// worst first. Strict mode, which turns every warning into an error, is not listed.
var Exceptions = map[diag.Code][]Exception{
	diag.Alternative:      {{diag.Error, "if the block undoes the change of an earlier block, so that a file would stay as it is"}},
	diag.APAnchorOnly:     {{diag.Warning, "in ap 3.2, which uses the anchor as the snippet"}},
	diag.APBadID:          {{diag.Warning, "in ap 3.2"}},
	diag.APFence:          {{diag.Warning, "around a patch of ap 3.2"}},
	diag.APIDDrift:        {{diag.Warning, "in a value, except if the ID is almost the header's, or a DELETE searches for the value"}},
	diag.APMissingContent: {{diag.Warning, "if the content is empty, so the action inserts nothing"}},
	diag.APTruncated:      {{diag.Warning, "in ap 3.1, if the patch ends with empty content"}},
	diag.BrokenReference:  {{diag.Info, "if no program of the reply follows the deleted or renamed file"}},
	diag.CutShort:         {{diag.Error, "if the text leaves out lines of its file, and its place is not certain"}},
	diag.FindAmbiguous:    {{diag.Error, "if the text must occur only once, as in a tool call"}},
	diag.FindConsumed:     {{diag.Warning, skipsMissing}},
	diag.FindNotFound:     {{diag.Warning, skipsMissing}},
	diag.GitNames:         {{diag.Warning, "if git accepts the names nevertheless"}},
	diag.GitNoHunks:       {{diag.Warning, "if git creates an empty file"}},
	diag.PatchEmpty:       {{diag.Warning, "for a hunk beside other hunks, if the file has its lines; the hunk is then left out"}},
	diag.PatchNoEnd:       {{diag.Warning, "if a fence ends the patch, and each of its sections is complete"}},
	diag.PathProject:      {{diag.Error, "if the path without the superfluous folders is an existing file or in an existing folder, or if another path of the reply shows that they are superfluous"}},
	diag.Unread:           {{diag.Info, "if it may be a sample"}},
	diag.LoneReturn:       {{diag.Error, "if the change would join a CR and an LF into one line ending"}},
	diag.SearchDivider:    {{diag.Warning, "if the file has the text above at least one of the `=======` lines; in that case, the longest such text is used"}},
	diag.Omission:         {{diag.Error, "in a whole file in a fence, because nothing says that such a fence shows all of the file"}},
	diag.WholeFences:      {{diag.Warning, "if the fences in the text pair, and one of them may be its end"}},
	diag.PathProtected:    {{diag.Warning, "in an editor"}},
}

const skipsMissing = "with `--skip-missing` or `aptix.missingFind`, which leave out the replacement"

// MayBe reports whether a diagnostic with a code may have a severity.
func MayBe(c diag.Code, s diag.Severity) bool {
	return s == c.Severity() || slices.ContainsFunc(Exceptions[c], func(e Exception) bool { return e.Severity == s })
}
