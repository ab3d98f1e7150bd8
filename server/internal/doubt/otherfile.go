package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// otherFile finds a whole text whose new lines are for the most part those of another file in the same
// folder, which the reply does not change. The path of the text may be wrong, or a second file may follow
// the first one in the same text.
var otherFile = Rule{
	ID: "other-file", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || c.Beside == nil {
			return nil
		}
		comes := map[string]bool{}
		for _, r := range c.Runs {
			for _, line := range r.New {
				if line = strings.TrimSpace(line); text.Shared.Says(line) && !c.has(line) {
					comes[line] = true
				}
			}
		}
		if len(comes) < fewestForeign {
			return nil
		}
		for name, content := range c.Beside {
			there, defined := map[string]bool{}, ""
			for line := range strings.Lines(content) {
				line = strings.TrimRight(line, "\r\n")
				if s := strings.TrimSpace(line); comes[s] {
					if there[s] = true; defined == "" && line == s && (opensBlock(line) || defining.MatchString(line)) {
						defined = line
					}
				}
			}
			if len(there) >= fewestForeign && 2*len(there) > len(comes) && defined != "" {
				return warn(c.textAt(), diag.RepeatedLines, "%d of the %d new lines of %s are lines of %s, such as %q; check the path, or leave these lines out", len(there), len(comes), c.Path, name, cut(defined, 60))
			}
		}
		return nil
	},
}

// fewestForeign is the number of new lines that must be lines of another file.
const fewestForeign = 6
