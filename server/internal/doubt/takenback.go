package doubt

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// takenBack finds an edit that takes back a part of an earlier edit of its block. Two texts should perhaps change
// places, but are replaced one after the other: the second replacement then also finds what the first one wrote.
var takenBack = Rule{
	ID: "taken-back", existing: true,
	doubts: func(c *Change) *Doubt {
		type change struct {
			block, line int
			old, new    string
		}
		made, end := map[change]bool{}, 0
		for i, r := range c.Runs {
			isSecond, isFirst := r.Line < end, i+1 < len(c.Runs) && c.Runs[i+1].Line < r.Line+len(r.Old)
			end = max(end, r.Line+len(r.Old))
			if len(r.Old) != len(r.New) || !isSecond && !isFirst || !c.Meter.Pay(meter.Line*len(r.Old)) {
				continue
			}
			for k, old := range r.Old {
				if made[change{r.At.Block, r.Line + k, r.New[k], old}] && old != r.New[k] {
					return warn(c.at(r), diag.Alternative, "two edits of this block change line %d of %s one after the other, and the second one takes back the first; if two texts should change places, write the changed lines", r.Line+k, c.Path)
				}
				made[change{r.At.Block, r.Line + k, old, r.New[k]}] = true
			}
		}
		return nil
	},
}
