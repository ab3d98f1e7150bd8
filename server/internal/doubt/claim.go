package doubt

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
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

// takenBack finds an edit that takes back a part of an earlier edit of its block. Two texts should perhaps change
// places, but are replaced one after the other: the second replacement then also finds what the first one wrote. It also
// finds two edits whose new texts were exchanged.
var takenBack = Rule{
	ID: "taken-back", existing: true,
	doubts: func(c *Change) *Doubt {
		type change struct {
			block, line int
			old, new    string
		}
		made, end := map[change]bool{}, 0
		for i, r := range c.Runs {
			isSecond, isFirst := r.Line < end, i+1 < len(c.Runs) && c.Runs[i+1].Line < r.Line+len(r.Old)
			end = max(end, r.Line+len(r.Old))
			if len(r.Old) != len(r.New) || !isSecond && !isFirst || !c.Meter.Pay(meter.Line*len(r.Old)) {
				continue
			}
			for k, old := range r.Old {
				if made[change{r.At.Block, r.Line + k, r.New[k], old}] && old != r.New[k] {
					return warn(c.at(r), diag.Alternative, "two edits of this block change line %d of %s one after the other, and the second undoes the first; to swap two texts, write the changed lines", r.Line+k, c.Path)
				}
				made[change{r.At.Block, r.Line + k, old, r.New[k]}] = true
			}
		}
		return c.exchanged()
	},
}

// exchanged finds two edits of blocks, each of which begins with the first line of the other block but has another text
// below. If the blocks only changed places, the texts would be the same.
func (c *Change) exchanged() *Doubt {
	if c.Whole {
		return nil
	}
	begins, last := map[string]Run{}, Run{}
	for i, r := range c.Runs {
		r.Old, r.New = slices.Clip(r.Old), slices.Clip(r.New)
		if i > 0 && last.At == r.At && last.Line+len(last.Old) == r.Line {
			r.Line, r.Old, r.New = last.Line, append(last.Old, r.Old...), append(last.New, r.New...)
		}
		last = r
		now := firstText(r.New)
		other, ok := begins[now]
		if ok && len(r.Old) > 0 && opensBlock(now) && firstText(other.New) == firstText(r.Old) && (len(r.New) > 1 && !slices.Equal(other.Old, r.New) || len(r.Old) > 1 && !slices.Equal(other.New, r.Old)) {
			return warn(c.at(r), diag.Alternative, "two edits of %s have each other's first lines, such as %q; if their new texts were exchanged, write each below the text that it replaces", c.Path, text.Cut(now, 60))
		}
		begins[firstText(r.Old)] = r
	}
	return nil
}
