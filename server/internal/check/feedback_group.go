package check

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A repeated holds problems of a block that can be described together.
type repeated struct{ all []diag.Diagnostic }

// particular matches the parts that differ between messages about the same problem: names
// and numbers.
var particular = lazyregexp.New("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"|[0-9]+")

// lineList matches a list of many lines of a file. A model does not see the file.
var lineList = lazyregexp.New(`,? (?:on|at) lines \d+(?:, \d+)+(?:,? (?:and )?(?:\d+|…|more))?`)

// beyondModel are problems that every other reply would have, too, because they come from a
// person's files and settings.
var beyondModel = []diag.Code{diag.PathProtected, diag.UnsavedText, diag.NotebookOpen, diag.MixedEndings, diag.NoWorkspace, diag.BlockIncomplete}

// group gathers problems that differ only in names and numbers, most severe first. Missing
// passages are shown one by one.
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
