package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// thinned finds a whole text without any repeated line, although the file has several and hardly anything else is
// missing: a program probably removed each line that it had seen before. The repeated lines must have different
// indentations, because a person may remove repeated entries of a list. The rule also
// finds the loss of all lines with a certain first character: see [Change.lostSign].
var thinned = Rule{
	ID: "thinned", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || !c.Meter.Pay(meter.Line*(len(c.old)+len(c.new))) {
			return nil
		}
		if sign, n := c.lostSign(); n > 0 {
			return warn(c.textAt(), diag.LinesLost, "no line of the new text begins with %q, but %d lines of %s do; write the lines that should stay", sign, n, c.Path)
		}
		if len(c.new) >= len(c.old) {
			return nil
		}
		is := map[string]bool{}
		for _, line := range c.new {
			if !text.IsBlank(line) && is[line] {
				return nil
			}
			is[line] = true
		}
		was, depths, again, stay := map[string]bool{}, map[string]bool{}, 0, 0
		for _, line := range c.old {
			switch {
			case text.IsBlank(line):
			case was[line]:
				again++
				depths[text.Indentation(line)] = true
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
		return warn(c.textAt(), diag.LinesLost, "%d lines of %s repeat earlier lines, but no line of the new text does, so repeated lines may be missing; write each line as often as the file should have it", again, c.Path)
	},
}

// lostSign returns a character that begins several unindented lines of the file but no line of the new text, and the
// number of these lines. Markdown, for example, reads `#include` as a title. Hardly any other line may be missing,
// and at least one line must be new.
func (c *Change) lostSign() (sign string, n int) {
	begins := func(line string) string {
		if line == "" || strings.IndexByte("#@%$.!|~:&<", line[0]) < 0 || !text.HasWord(line) {
			return ""
		}
		return line[:1]
	}
	had := map[string]int{}
	for _, line := range c.old {
		had[begins(line)]++
	}
	for _, line := range c.new {
		delete(had, begins(line))
	}
	delete(had, "")
	for sign, n := range had {
		if n >= text.Habit && len(had) == 1 && 10*(text.Count(lacking(c.old, c.new), func(i int) bool { return text.HasWord(c.old[i]) })-n) <= max(10, len(c.old)) && c.adds(text.HasWord) {
			return sign, n
		}
	}
	return "", 0
}
