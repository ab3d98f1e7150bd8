package doubt

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// claim finds lines that a whole text lacks, also one that leaves out lines, although the reply says that it only adds
// something, or that everything else stays as it is.
var claim = Rule{
	ID: "claim", existing: true,
	doubts: func(c *Change) *Doubt {
		if c.Marked || !c.Adds && !c.RestStays || !c.adds(text.HasWord) {
			return nil // If nothing comes, the reply is about the lines that go.
		}
		old, new := 0, 0
		for _, r := range c.Runs {
			old, new = old+countWithWords(r.Old), new+countWithWords(r.New)
		}
		for _, r := range c.Runs {
			if !slices.ContainsFunc(r.Old, saysCode) || !c.losesWord(r) {
				continue
			}
			removed, said := countWithWords(r.New) == 0, "it only adds something"
			for _, line := range r.Old {
				name := definedIn(line)
				removed = removed || name != "" && !c.adds(func(line string) bool { at, _ := nameIn(line, name); return at >= 0 })
			}
			switch {
			case c.RestStays && removed:
				said = "everything else stays as it is"
			case c.Adds && (removed || new <= old):
			default:
				continue
			}
			return warn(c.at(r), diag.LinesLost, "the reply says that %s, but line %d of %s, %q, would be lost; write the lines that should stay", said, r.Line, c.Path, cut(Telling(joined(r.Old))[0], 60))
		}
		return nil
	},
}

// losesWord reports whether a word of a run's old lines is in no new line.
func (c *Change) losesWord(r Run) bool {
	var now []string
	for _, other := range c.Runs {
		now = append(now, other.New...)
	}
	return len(wordsIn(r.Old).without(wordsIn(now))) > 0
}
