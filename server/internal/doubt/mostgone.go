package doubt

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// mostGone finds a text without most lines of its file, or without a quarter of them at its ends. A
// notation that says that its text is the whole file may well rewrite a file of a few lines.
var mostGone = Rule{
	ID: "most-gone",
	Doubts: func(c *Change) *Doubt {
		if !c.Whole || c.New || c.Marked {
			return nil
		}
		gone := c.gone()
		if c.saying(gone) < fewestOfPart || 2*len(gone) <= len(c.old) && !c.lostEnds().many(c.old) {
			return nil
		}
		if !c.MayBePart && (c.saying(gone) < fewestGone || 2*saying(c.new) > saying(c.old)) {
			return nil
		}
		return &Doubt{Verdict: diag.Warning, Code: diag.LinesLost,
			Message: fmt.Sprintf("%d of the %d lines of %s would go, %s; the text may show only a part of the file", len(gone), len(c.old), c.Path, lineRanges(gone))}
	},
	Examples: []Example{
		{Name: "one line of many", Before: "alpha()\nbeta()\ngamma()\ndelta()\n", After: "alpha()\n", Facts: Facts{Whole: true, MayBePart: true}, Want: diag.Warning, Code: diag.LinesLost},
		{Name: "claims to be whole", Before: "alpha()\nbeta()\ngamma()\ndelta()\nepsilon()\nzeta()\neta()\ntheta()\n", After: "alpha()\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.LinesLost},
		{Name: "rewritten", Before: "alpha()\nbeta()\ngamma()\ndelta()\n", After: "one()\ntwo()\nthree()\nfour()\n", Facts: Facts{Whole: true}},
		{Name: "one line less", Before: "alpha()\nbeta()\ngamma()\ndelta()\n", After: "alpha()\nbeta()\ngamma()\n", Facts: Facts{Whole: true, MayBePart: true}},
	},
}

// fewestGone is how many lines that say something go before a text that claims to be the whole file
// is doubted.
const fewestGone = 6

// fewestOfPart is the same of a text that may be a part.
const fewestOfPart = 2

// saying counts the lines of the file, from 0, that say something.
func (c *Change) saying(lines []int) int {
	n := 0
	for _, i := range lines {
		if saysMore(c.old[i]) {
			n++
		}
	}
	return n
}
