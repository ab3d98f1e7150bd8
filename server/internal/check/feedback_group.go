package check

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A repeated is a group of a block's problems that one description covers.
type repeated struct{ all []diag.Diagnostic }

// particular matches the parts in which messages about the same problem differ: names and
// numbers.
var particular = lazyregexp.New("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"|[0-9]+")

// lineList matches a list of many line numbers. Feedback leaves it out, because a model does
// not see the file.
var lineList = lazyregexp.New(`,? (?:on|at) lines \d+(?:, \d+)+(?:,? (?:and )?(?:\d+|…|more))?`)

// beyondModel lists problems that no other reply would avoid, because they come from a
// person's files and settings.
var beyondModel = []diag.Code{diag.PathProtected, diag.UnsavedText, diag.NotebookOpen, diag.MixedEndings, diag.NoWorkspace, diag.BlockIncomplete}

// group combines problems that differ only in names and numbers, most severe first. Missing
// passages stay separate.
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
