package doubt

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// thinned finds a whole text in which no line occurs twice, although the file has several repeated lines
// and hardly anything else is missing. A program removed every line that it had seen before. In a list, a
// person may remove repeated entries, so the repeated lines must have different indentations.
var thinned = Rule{
	ID: "thinned", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || len(c.new) >= len(c.old) || !c.Meter.Pay(meter.Line*(len(c.old)+len(c.new))) {
			return nil
		}
		is := map[string]bool{}
		for _, line := range c.new {
			if !locate.IsBlank(line) && is[line] {
				return nil
			}
			is[line] = true
		}
		was, depths, again, stay := map[string]bool{}, map[string]bool{}, 0, 0
		for _, line := range c.old {
			switch {
			case locate.IsBlank(line):
			case was[line]:
				again++
				depths[locate.Indentation(line)] = true
			case is[line]:
				stay++
				was[line] = true
			default:
				was[line] = true
			}
		}
		if again < text.Habit || len(depths) < 2 || 10*(len(was)-stay) > max(10, len(was)) {
			return nil
		}
		return warn(c.textAt(), diag.LinesLost, "no line of the new text occurs twice, but %s repeats %d lines; write each line as often as it should be in the file", c.Path, again)
	},
}
