package doubt

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// claim finds lines that would be lost although the reply says that it only adds something, or that everything else
// stays as it is. It ignores a notation that marks or shows the lines that it removes.
var claim = Rule{
	ID: "claim", existing: true,
	doubts: func(c *Change) *Doubt {
		if c.Marked || c.Shown || !c.Adds && !c.RestStays || !c.adds(text.HasWord) {
			return nil // The statement cannot be about a change that adds nothing.
		}
		var old, new []string
		for _, r := range c.Runs {
			old, new = append(old, r.Old...), append(new, r.New...)
		}
		now, grows := wordsIn(new), countWithWords(new) > countWithWords(old)
		for _, r := range c.Runs {
			if !slices.ContainsFunc(r.Old, saysCode) || len(wordsIn(r.Old).without(now)) == 0 {
				continue
			}
			removed, said := countWithWords(r.New) == 0, "it only adds something"
			for _, line := range r.Old {
				name := Defines(line)
				removed = removed || name != "" && !c.adds(func(line string) bool { at, _ := nameIn(line, name); return at >= 0 })
			}
			switch {
			case c.RestStays && removed:
				said = "everything else stays as it is"
			case c.Adds && (removed || !grows):
			default:
				continue
			}
			return warn(c.at(r), diag.LinesLost, "the reply says that %s, but would remove line %d of %s: %q; write the lines that should stay", said, r.Line, c.Path, text.Cut(Telling(text.Joined(r.Old))[0], 60))
		}
		return nil
	},
}
