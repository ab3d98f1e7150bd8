package doubt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// omission finds a new line that stands for missing lines: dots, a comment with an ellipsis, or a comment with known
// words. Nobody wants the known words in a file, so they are enough even if no line is missing. If the new text may
// be an excerpt of the file, the reply is refused, because nothing shows which lines are omitted.
var omission = Rule{
	ID: "omission",
	doubts: func(c *Change) *Doubt {
		for run, r := range c.Runs {
			for i, line := range r.New {
				if mayStandFor(line) && !c.has(line) {
					if d := c.omitted(run, i); d != nil {
						return d
					}
				}
			}
		}
		return nil
	},
}

// mayStandFor is a quick test: a line that stands for other lines begins like a comment or markup, or with a bracket
// or an ellipsis.
func mayStandFor(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && (strings.IndexByte("/#<{-;%(.[*", line[0]) >= 0 || strings.HasPrefix(line, "…") || strings.HasPrefix(line, "⋮"))
}

// omitted returns a doubt if new line i of the run, which the old file does not have, stands for missing lines. Otherwise it
// returns nil.
func (c *Change) omitted(run, i int) *Doubt {
	r := c.Runs[run]
	line := strings.TrimSpace(r.New[i])
	bracketed := elision.IsNote(line) || c.isBetweenEllipses(run, i)
	known := bracketed || elision.IsPlaceholder(line) && strings.ContainsFunc(line, unicode.IsLetter)
	if _, comment := elision.CommentText(line); known && !comment {
		bracketed = true // No program has such a line.
	}
	dots := bracketed || strings.Contains(line, "...") || strings.Contains(line, "…")
	if !known && elision.SortOf(line) != elision.Elision {
		return nil
	}
	d := &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.Omission}
	if c.Whole && c.MayBePart {
		d.Verdict = diag.Error
	}
	if !c.Meter.Pay(meter.Line * len(r.New)) {
		return nil // The reply takes more work than allowed, so the plan refuses it.
	}
	said := func(consequence, advice string) string {
		return fmt.Sprintf("%s is a placeholder for text that was left out, %s: %q; %s", c.lineOf(r, i), consequence, line, advice)
	}
	beside := r
	beside.New = slices.Delete(slices.Clone(r.New), i, i+1)
	gone := beside.gone(c.Meter)
	if len(gone) == 0 && c.Whole && known {
		gone = lacking(c.old, c.new)
	}
	switch {
	case c.New && c.isDocument():
		return nil
	case c.New && known:
		d.Message = said("but "+c.Path+" does not exist", "check the path, or ask for the whole file")
	case c.New:
		if strings.Trim(line, ".") == "" && (c.mayHaveTags() || (c.ext() == ".py" || c.ext() == ".pyi") && text.Indentation(r.New[i]) != "") {
			return nil // a sample on a page, or the body of a function that does nothing
		}
		d.Verdict = diag.Warning
		d.Message = said("but "+c.Path+" does not exist", "check the path, or ask for the whole file")
	case len(gone) > 0:
		d.Message = said(fmt.Sprintf("so %s of %s would be lost", lineRanges(gone), c.Path), c.instead())
		d.Fixes = c.keeping(r, i)
	case known && (dots || c.Whole):
		d.Message = said("and would be written into "+c.Path, c.instead())
	default:
		return nil
	}
	return d
}

func (c *Change) lineOf(r Run, i int) string {
	if c.Whole {
		return fmt.Sprintf("line %d of the text", r.NewLine+i)
	}
	return "a line of the new text"
}

func (c *Change) instead() string {
	if c.Whole {
		return "ask for the whole file, or for a patch"
	}
	return "write out all lines that stay, or replace fewer lines"
}

// has reports whether the old file has the line, ignoring white space at the ends of the line.
func (c *Change) has(line string) bool {
	line = strings.TrimSpace(line)
	if c.lines == nil {
		c.lines = text.Set(text.Each(c.oldLines(), strings.TrimSpace))
	}
	return c.lines[line]
}

// isBetweenEllipses reports whether new line i of the run has words between two ellipses in a block of code. A text for
// people, such as a page or subtitles, may have such a line.
func (c *Change) isBetweenEllipses(run, i int) bool {
	line := c.Runs[run].New[i]
	return elision.IsBetweenEllipses(strings.TrimSpace(line)) && text.Indentation(line) != "" && !c.isDocument() && !c.mayHaveTags() && !c.isQuoted(run, i)
}
