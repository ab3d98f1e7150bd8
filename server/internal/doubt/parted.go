package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// parted finds new lines between two old lines that belong together, such as a decorator and its function, or the body
// of an `if` and its `else`. The new lines were probably meant for a place above or below the two.
var parted = Rule{
	ID: "parted", existing: true,
	doubts: func(c *Change) *Doubt {
		for i, r := range c.Runs {
			if text.Count(r.Old, isSolid) > 0 || countWithWords(r.New) == 0 || !c.Meter.Pay(len(r.New)+eachGap) {
				continue
			}
			g := gap{above: text.Only(c.above(i, aroundGap), isSolid), new: text.Only(r.New, isSolid), below: firstText(c.below(i, aroundRun))}
			if g.isSlid() || isTitle(strings.TrimSpace(g.last())) && c.ext() != ".cs" {
				continue // In C#, such a line is an attribute, and elsewhere the title of a section.
			}
			bonds := codeBonds
			if c.isDocument() {
				bonds = textBonds
			}
			for _, b := range bonds {
				if b.parts(g) {
					return warn(c.at(r), diag.Alternative, "the new lines, beginning with %q, are between %q and %s; check whether they are at the right place in %s", text.Cut(strings.TrimSpace(g.new[0]), 60), text.Cut(strings.TrimSpace(g.last()), 60), b.what, c.Path)
				}
			}
		}
		return nil
	},
}

const (
	aroundGap = 12  // the number of old lines above new lines that are looked at
	eachGap   = 100 // the cost of looking at the lines around new lines, in units of the meter
)

func isSolid(line string) bool { return !text.IsBlank(line) }

// A gap holds the lines without blank ones at a place where lines are inserted. Neither above nor new is empty if a
// bond is asked.
type gap struct {
	above, new []string
	below      string // "" at the end of the file
}

func (g gap) last() string { return g.above[len(g.above)-1] }

// isSlid reports whether the same text results if the lines are inserted one or more lines further up or down. The
// place is then not certain.
func (g gap) isSlid() bool {
	if len(g.above) == 0 {
		return true
	}
	return g.new[len(g.new)-1] == g.last() || g.new[0] == g.below
}

// A bond tells that lines belong together.
type bond struct {
	parts func(gap) bool // reports whether the new lines part the lines above from the line below
	what  string         // the name of what is below, for a person
}

// codeBonds are the bonds of programs.
var codeBonds = []bond{
	{func(g gap) bool {
		return decorator.MatchString(g.last()) && !leads(g.below) && text.HasWord(g.below) && !leads(g.new[0]) && !leads(g.new[len(g.new)-1])
	}, "the line that it belongs to"},
	{func(g gap) bool {
		depth := depthOf(g.below)
		return clause.MatchString(g.below) &&
			!clause.MatchString(g.new[0]) &&
			(depthOf(g.last()) > depth || strings.TrimSpace(g.last()) == "}" && depthOf(g.last()) == depth) &&
			slices.ContainsFunc(g.new, func(line string) bool { return depthOf(line) <= depth && text.HasWord(line) })
	}, "the clause below"},
	{func(g gap) bool {
		n := len(g.above)
		return n > 1 &&
			continues(g.above[n-2]) &&
			!continues(g.last()) &&
			depthOf(g.last()) > 0 &&
			depthOf(g.new[0]) == depthOf(g.last()) &&
			depthOf(g.above[n-2]) <= depthOf(g.last())
	}, "the end of the statement, because that line has no `\\` at its end"},
	{func(g gap) bool {
		last := g.new[len(g.new)-1]
		return continues(g.last()) && !continues(last) && saysCode(last) && text.HasWord(g.below)
	}, "the line that continues it"},
}

// textBonds are the bonds of documents.
var textBonds = []bond{
	{func(g gap) bool {
		return strings.Contains(g.last(), "|") && tableRule.MatchString(g.below) && !slices.ContainsFunc(g.new, tableRule.MatchString)
	}, "the line under the header of the table"},
	{func(g gap) bool {
		i := len(g.above) - 1
		for i >= 0 && depthOf(g.above[i]) >= depthOf(g.below) {
			i--
		}
		return i >= 0 && depthOf(g.below) > 0 && listItem.MatchString(g.above[i]) && !listItem.MatchString(g.below) &&
			listItem.MatchString(g.new[0]) && depthOf(g.new[0]) == depthOf(g.above[i]) && depthOf(g.new[len(g.new)-1]) == depthOf(g.new[0])
	}, "the lines of its item"},
}

var (
	// attribute matches a decorator, also with a remark behind it.
	attribute = lazyregexp.New(`^\s*(?:@[\pL_]|#?\[\w+(?:\(.*\))?\])`)
	clause    = lazyregexp.New(`^\s*(?:\}\s*)?(?:else|elif|elsif|elseif|except|catch|finally|rescue|ensure)\b`)
	tableRule = lazyregexp.New(`^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?\s*$`)
	listItem  = lazyregexp.New(`^\s*(?:\d+[.)]|[-*+])\s`)
)

// leads reports whether a line belongs to the line below it, as a decorator or a comment does.
func leads(line string) bool { return attribute.MatchString(line) || !saysCode(line) }

func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

func depthOf(line string) int { return len(text.Indentation(line)) }
