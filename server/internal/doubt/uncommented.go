package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// uncommented finds a change that edits code and drops comments at several places without adding any, as models do
// when they write a text from memory.
var uncommented = Rule{
	ID: "uncommented", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if c.Marked {
			return nil
		}
		var gone []int
		places := 0
		for _, r := range c.Runs {
			lost := r.comments()
			if len(lost) > 0 {
				places++
			}
			gone = append(gone, text.Each(lost, func(i int) int { return r.Line - 1 + i })...)
		}
		if places < fewestUncommented || !c.adds(text.HasWord) || c.adds(isRemark) {
			return nil
		}
		return warn(Part{}, diag.LinesLost, "%d comments of %s near the edit would be lost (%s); write each comment that should stay", places, c.Path, lineRanges(gone))
	},
}

// fewestUncommented is the least number of places at which comments must be missing. A person may drop the comments
// at one place on purpose.
const fewestUncommented = 2

// comments returns the indexes in r.Old of comments that consist of words and not of code. It returns nil if the run
// removes more lines of code than it adds.
func (r Run) comments() (lost []int) {
	code := 0
	if !slices.ContainsFunc(r.Old, mayStandFor) {
		return nil
	}
	for i, line := range r.Old {
		switch {
		case isRemark(line):
			if said, _ := elision.CommentText(strings.TrimSpace(line)); text.HasWords(strings.TrimLeft(said, "*/# "), 3) && !text.IsCode(said) {
				lost = append(lost, i)
			}
		case strings.TrimSpace(line) != "":
			code++
		}
	}
	if code > countWithWords(r.New) {
		return nil
	}
	return lost
}
