package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// thinned finds a whole text without any repeated line, although the file has several and hardly anything else is
// missing: a program probably removed each line that it had seen before. The repeated lines must have different
// indentations, because a person may remove repeated entries of a list. The rule also
// finds the loss of all lines with a certain first character, and of all but one of several equal lines below each
// other: see [Change.lostSign] and [Change.squeezed].
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
		if r, n := c.squeezed(); n > 0 {
			return warn(c.textAt(), diag.LinesLost, "of %d equal lines of %s, the new text has only one: %q; write each line as often as the file should have it", n, c.Path, text.Cut(strings.TrimSpace(r.Old[0]), 60))
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

// squeezed returns a run that removes all but one of several equal lines, and the number of these lines. No equal lines
// may be left below each other, and something else must change, because otherwise the person asked for this.
func (c *Change) squeezed() (r Run, n int) {
	equal := func(lines []string, i int) bool {
		return i > 0 && i < len(lines) && lines[i] == lines[i-1] && text.NonBlanks(lines[i], 4) == 4
	}
	if i := slices.IndexFunc(c.Runs, func(r Run) bool {
		return len(r.New) == 0 && len(r.Old) >= text.Habit-1 && len(slices.Compact(slices.Clone(r.Old))) == 1 && (equal(c.old, r.Line-1) || equal(c.old, r.Line-1+len(r.Old)))
	}); i >= 0 && len(c.Runs) > 1 {
		for k := range c.new {
			if equal(c.new, k) {
				return r, 0
			}
		}
		return c.Runs[i], len(c.Runs[i].Old) + 1
	}
	return r, 0
}

// lostSign returns a character that begins several unindented lines of the file but no line of the new text, and the
// number of these lines. Markdown, for example, reads `#include` as a title. A line that consists of such characters, as
// the separator of YAML documents, counts as one sign. Hardly any other line may be missing, and at least one line must
// be new.
func (c *Change) lostSign() (sign string, n int) {
	begins := func(line string) string {
		if len(line) > 2 && strings.IndexByte("-=*~#", line[0]) >= 0 && strings.Trim(line, line[:1]) == "" {
			return line
		}
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
		if (n >= text.Habit || n > 1 && len(sign) > 1) && len(had) == 1 && 10*(text.Count(lacking(c.old, c.new), func(i int) bool { return text.HasWord(c.old[i]) })-n) <= max(10, len(c.old)) && c.adds(text.HasWord) {
			return sign, n
		}
	}
	return "", 0
}
