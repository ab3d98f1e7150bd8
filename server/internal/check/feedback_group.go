package check

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A repeated is problems of a block that one sentence says.
type repeated struct{ all []diag.Diagnostic }

// particular is what differs between messages about the same problem: names and numbers.
var particular = lazyregexp.New("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"|[0-9]+")

// lineList is a list of many lines of a file. A model does not see the file.
var lineList = lazyregexp.New(`,? (?:on|at) lines \d+(?:, \d+)+(?:,? (?:and )?(?:\d+|…|more))?`)

// beyondModel are problems that no other reply would be without: a person's files and
// settings are the reason.
var beyondModel = []diag.Code{diag.PathProtected, diag.UnsavedText, diag.NotebookOpen, diag.MixedEndings, diag.NoWorkspace, diag.BlockIncomplete}

// group gathers problems that differ in names and numbers only, the most severe first.
// What a passage is missing from is shown for each.
func group(ds []diag.Diagnostic) []repeated {
	var groups []repeated
	index := map[string]int{}
	for _, d := range ds {
		if d.Severity > diag.Warning || slices.Contains(beyondModel, d.Code) {
			continue
		}
		key := string(d.Code) + particular.ReplaceAllString(d.Message, "") + d.Passage
		i, again := index[key]
		if !again {
			i = len(groups)
			index[key] = i
			groups = append(groups, repeated{})
		}
		groups[i].all = append(groups[i].all, d)
	}
	slices.SortStableFunc(groups, func(a, b repeated) int { return int(a.all[0].Severity) - int(b.all[0].Severity) })
	return groups
}
