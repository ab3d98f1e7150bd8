package doubt

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// buttons finds the buttons of a web page above the whole text of a file that does not
// begin with them. The fix that removes them is certain if the file begins with the line
// below them (rule R54).
var buttons = Rule{
	ID: "buttons",
	Doubts: func(c *Change) *Doubt {
		if c.Raw {
			return nil
		}
		content, at := c.whole()
		n := artifact.ButtonsAbove(content)
		if n == 0 {
			return nil
		}
		rest, before := strings.TrimLeft(content[n:], "\r\n"), c.Before()
		if artifact.ButtonsAbove(before) > 0 {
			return nil
		}
		d := &Doubt{At: at, Verdict: diag.Warning, Code: diag.CopiedText,
			Message: fmt.Sprintf("the text begins with %q, the buttons of a web page from which it was copied", strings.Join(strings.Fields(content[:n]), " "))}
		if c.ContentAt.Span != (text.Span{}) {
			first := firstLine(rest)
			d.Fixes = []diag.Fix{{Title: "Leave out the buttons", Edits: []text.Edit{c.ContentAt.Set(artifact.PlainSpaces(rest))},
				Preferred: strings.TrimSpace(first) != "" && firstLine(before) == first}}
		}
		return d
	},
	Examples: []Example{
		{Name: "language and button", Before: "import os\n", After: "python\nCopy code\nimport os\nx = 1\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.CopiedText},
		{Name: "a word", Before: "Copy\npaste\n", After: "Copy\npaste\nedit\n", Facts: Facts{Whole: true}},
		{Name: "nothing below", After: "Copy\n", Facts: Facts{New: true}},
	},
}

// whole returns the text of a change that gives all lines of its file, and its span in the
// block.
func (c *Change) whole() (content string, at text.Span) {
	if !c.Whole && c.New && len(c.Runs) > 0 {
		return joined(c.Runs[0].New), c.Runs[0].At
	}
	return c.Content, c.textAt()
}

func firstLine(s string) string {
	end, _ := text.LineEnd(s, 0)
	return s[:end]
}
