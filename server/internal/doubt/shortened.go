package doubt

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// shortened finds a new line that equals an old one, but has an ellipsis in place of characters in the
// middle of a word. Models and pages shorten long keys and paths in this way.
var shortened = Rule{
	ID: "shortened", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			for i, line := range r.New {
				if len(r.Old) == 0 || !strings.Contains(line, "…") && !strings.Contains(line, "...") {
					continue
				}
				for k, was := range r.Old[:min(len(r.Old), mostLaid)] {
					if !c.Meter.Pay(meter.Line) {
						return nil
					}
					if lost := shortens(was, line); lost > 0 {
						return warn(c.at(r), diag.Omission, "%s, %q, has an ellipsis in place of %d characters of line %d of %s; write the complete line", c.lineOf(r, i), cut(strings.TrimSpace(line), 60), lost, r.Line+k, c.Path).
							with(c.writing(fmt.Sprintf("Keep line %d", r.Line+k), r, i, r.Old[k:k+1]))
					}
				}
			}
		}
		return nil
	},
}

// shortens returns how many bytes of an old line an ellipsis in the new line replaces, or 0 if the lines
// differ in another way. The ellipsis must be inside one word, or replace a long text without a space.
func shortens(was, is string) int {
	for _, dots := range []string{"…", "..."} {
		for at := strings.Index(is, dots); at >= 0; {
			head, tail := is[:at], is[at+len(dots):]
			lost := len(was) - len(head) - len(tail)
			if lost > len(dots) && strings.HasPrefix(was, head) && strings.HasSuffix(was, tail) {
				middle := was[len(head) : len(was)-len(tail)]
				inWord := locate.CutsWord(was, len(head)) && locate.CutsWord(was, len(was)-len(tail))
				if inWord || lost >= fewestShortened && !strings.ContainsAny(middle, " \t") {
					return lost
				}
			}
			next := strings.Index(tail, dots)
			if next < 0 {
				break
			}
			at += len(dots) + next
		}
	}
	return 0
}

// fewestShortened is the number of characters that an ellipsis must replace if it is not inside a word.
const fewestShortened = 12
