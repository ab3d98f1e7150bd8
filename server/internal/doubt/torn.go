package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// torn finds lines that are missing from the middle of one block to the middle of another, without a replacement. A
// model that writes a text from memory may jump from one block into a similar block, so the brackets may still match.
var torn = Rule{
	ID: "torn", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if c.Marked {
			return nil
		}
		for i := 0; i < len(c.Runs); {
			first := i
			for i++; i < len(c.Runs) && c.joinsLoss(i); i++ {
			}
			if r := c.Runs[first]; countWithWords(r.New) == 0 && c.isAlone(first, i) && c.tears(c.Runs[first:i]) {
				gone := slices.Concat(text.Each(c.Runs[first:i], Run.oldIndexes)...)
				return warn(c.at(r), diag.LinesLost, "%s of %s would be lost, from the middle of one block to the middle of another; write the lines that should stay", lineRanges(gone), c.Path)
			}
		}
		return nil
	},
}

const (
	// the smallest number of missing lines, because a few lines, such as a branch, may be removed on purpose
	fewestTorn = 3
	mostTorn   = 8  // the largest number of lines between two runs that may belong to one loss
	mostSlid   = 40 // the largest number of missing lines, and of lines by which the loss is moved up and down
)

// joinsLoss reports whether a run and the run above it only remove lines, with few lines left between them.
func (c *Change) joinsLoss(i int) bool {
	above, r := c.Runs[i-1], c.Runs[i]
	return len(above.New)+len(r.New) == 0 && r.Line-above.Line-len(above.Old) <= mostTorn
}

// tears reports whether the runs remove consecutive lines, one of which is indented less than the remaining lines
// above and below. If equal lines make it unclear which lines are missing, this must be true for each possibility.
func (c *Change) tears(runs []Run) bool {
	old := c.oldLines()
	from, to, missing := runs[0].Line-1, runs[0].Line-1, 0
	var kept []string
	for _, r := range runs {
		kept = append(kept, old[to:r.Line-1]...)
		to, missing = r.Line-1+len(r.Old), missing+len(r.Old)
	}
	slid := min(mostSlid, from, len(old)-to)
	if missing < fewestTorn || missing > mostSlid || !c.Meter.Pay(meter.Line*(missing+2*slid)) {
		return false
	}
	from, to, kept = from-slid, to+slid, slices.Concat(old[from-slid:from], kept, old[to:to+slid])
	found := false
	for n := 0; n <= len(kept); n++ {
		if n > 0 && old[from+n-1] != kept[n-1] {
			break
		}
		if slices.Equal(old[to-(len(kept)-n):to], kept[n:]) {
			if found = isTorn(old, from+n, from+n+missing); !found {
				return false
			}
		}
	}
	return found
}

// isTorn reports whether any of the lines old[from:to] is indented less than the lines around them. It ignores
// preprocessor conditions and labels, because they begin at the margin.
func isTorn(old []string, from, to int) bool {
	above, below := from-1, to
	for above >= 0 && text.IsBlank(old[above]) {
		above--
	}
	for below < len(old) && text.IsBlank(old[below]) {
		below++
	}
	if above < 0 || below == len(old) {
		return false
	}
	depth := min(len(text.Indentation(old[above])), len(text.Indentation(old[below])))
	for from < to && text.IsBlank(old[from]) {
		from++
	}
	return from < to && len(text.Indentation(old[from])) >= depth && slices.ContainsFunc(old[from:to], func(line string) bool {
		return saysCode(line) && len(text.Indentation(line)) < depth && !label.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "#")
	})
}
