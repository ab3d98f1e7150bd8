package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mostGone finds a whole text that lacks half of the lines of its file, or a quarter of them at the ends, or has only
// comments although the file has code.
var mostGone = Rule{
	ID: "most-gone", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || c.Marked {
			return nil
		}
		if !c.isDocument() && !slices.ContainsFunc(c.new, saysCode) && text.Count(c.old, saysCode) >= fewestOfPart && 2*countWithWords(c.new) >= countWithWords(c.old) {
			return warn(Part{}, diag.LinesLost, "the new text of %s has only comments, but the file has %d lines of code; write the code that should stay", c.Path, text.Count(c.old, saysCode))
		}
		gone, ends := c.withoutMoved(c.gone()), c.lostEnds().many(c.old)
		lost, was, is := c.countWithWords(gone), countWithWords(c.old), countWithWords(c.new)
		if lost == 0 || lost < fewestOfPart && len(c.new) >= len(c.old) || 2*len(gone) <= len(c.old) && !ends && (2*len(gone) < len(c.old) || c.beginsAsBefore()) {
			return nil
		}
		if 2*is > was && (!c.MayBePart || !ends && c.beginsAsBefore()) {
			return nil
		}
		if !c.MayBePart && lost < fewestGone || c.moved(gone) {
			return nil
		}
		return warn(Part{}, diag.LinesLost, "%d of the %d lines of %s would be lost, %s; if the text shows only a part of the file, send the whole text", len(gone), len(c.old), c.Path, lineRanges(gone))
	},
}

// fewestGone is the least number of missing lines for a doubt, if the notation says that the text is the whole file.
const fewestGone = 6

// fewestOfPart is the smallest number of missing lines that raises a doubt if the text may be a part of its file. If the text also has fewer lines than the
// file, one missing line is enough.
const fewestOfPart = 2

func saysCode(line string) bool { return text.HasWord(line) && elision.SortOf(line) == elision.Text }

// beginsAsBefore reports whether the text begins with the first line of its file, as a rewritten file does.
func (c *Change) beginsAsBefore() bool {
	return strings.TrimSpace(firstText(c.old)) == strings.TrimSpace(firstText(c.new))
}

// withoutMoved drops from `gone` the lines that the new text has as often as the file, only at other places.
func (c *Change) withoutMoved(gone []int) []int {
	if len(gone) == 0 || !c.Meter.Pay(meter.Line*(len(c.old)+len(c.new))) {
		return gone
	}
	more := map[string]int{} // how many more times the new text has each line than the file
	for _, line := range c.new {
		more[strings.TrimSpace(line)]++
	}
	for _, line := range c.old {
		more[strings.TrimSpace(line)]--
	}
	return slices.DeleteFunc(gone, func(i int) bool { return more[strings.TrimSpace(c.old[i])] >= 0 })
}

// moved reports whether the reply's texts of other whole files contain at least four fifths of the missing lines.
func (c *Change) moved(gone []int) bool {
	if c.Others == nil {
		return false
	}
	others := text.Set(c.Others())
	there := text.Count(gone, func(i int) bool { return text.HasWord(c.old[i]) && others[strings.TrimSpace(c.old[i])] })
	return 5*there >= 4*c.countWithWords(gone)
}

func (c *Change) countWithWords(lines []int) int {
	return text.Count(lines, func(i int) bool { return text.HasWord(c.old[i]) })
}
