package doubt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// omission finds a new line that stands for missing lines: dots, a comment with an ellipsis in
// any language, or a comment with known words. Known words are enough even if no line is missing,
// because nobody wants them in a file. A text that may be a part of its file is refused, because
// nothing shows which lines it omits. For any other change, Aptix asks.
var omission = Rule{
	ID: "omission",
	Doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			for i, line := range r.New {
				if mayStandFor(line) && !c.has(line) {
					if d := c.omitted(r, i); d != nil {
						return d
					}
				}
			}
		}
		return nil
	},
	Examples: []Example{
		{Name: "whole", Before: "a()\nb()\nc()\n", After: "a()\n// ... rest unchanged\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "dots", Before: "a()\nb()\nc()\nd()\n", After: "a()\n...\nd()\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "German", Before: "a()\nb()\nc()\nd()\n", After: "a()\n// ... der Rest ...\nd()\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "Chinese", Before: "a()\nb()\nc()\nd()\n", After: "a()\n# ... 其余代码保持不变 ...\nd()\n", Want: diag.Warning, Code: diag.Omission},
		{Name: "as many lines", Before: "a()\nb()\nc()\nd()\n", After: "a()\n// ... existing code ...\nd(1)\ne(2)\nf(3)\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "part", Before: "a()\nb()\nc()\n", After: "a()\n// ... rest unchanged\n", Facts: Facts{Whole: true, MayBePart: true}, Want: diag.Error, Code: diag.Omission},
		{Name: "new", After: "a()\n// ... rest unchanged\n", Facts: Facts{New: true, MayBePart: true}, Want: diag.Error, Code: diag.Omission},
		{Name: "new and whole", After: "a()\n// ... rest unchanged\n", Facts: Facts{New: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "piece", Before: "x\na()\nb()\nc()\n", After: "x\n# ... existing code ...\n", Want: diag.Warning, Code: diag.Omission},
		{Name: "diff", Before: "x\na()\nb()\nc()\n", After: "x\n# ... other calls\n", Facts: Facts{Marked: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "nothing goes", Before: "x\ny\n", After: "x\n// ... existing code ...\nz\ny\n", Want: diag.Warning, Code: diag.Omission},
		{Name: "a note of a tool", Before: "a()\nb()\nc()\nd()\n", After: "a()\n[... 20 lines]\nd()\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.Omission},
		{Name: "vertical dots", Before: "a()\nb()\nc()\nd()\n", After: "a()\n⋮\nd()\n", Want: diag.Warning, Code: diag.Omission},
		{Name: "truncated", Before: "a()\nb()\nc()\n", After: "a()\n<truncated>\n", Want: diag.Warning, Code: diag.Omission},
		{Name: "lines of data", Before: "a()\n", After: "a()\n[20, 30]\n(20 items)\n<title>\n"},
		{Name: "the file's own", Before: "a()\n// ... rest unchanged\nb()\n", After: "a()\n// ... rest unchanged\nb2()\n", Facts: Facts{Whole: true, MayBePart: true}},
		{Name: "a comment", Before: "a()\nb()\nc()\n", After: "a()\n// the rest parameter collects arguments\nb(...rest)\nc()\n", Facts: Facts{Whole: true, MayBePart: true}},
		{Name: "a stub", Before: "class A:\n    pass\n", After: "class A:\n    def f(self) -> int:\n        ...\n\n    pass\n"},
		{Name: "a spread", Before: "f(\n  a,\n  b,\n)\n", After: "f(\n  ...args,\n)\n"},
		{Name: "new and complete", After: "print('...')\n", Facts: Facts{New: true}},
	},
}

// mayStandFor is a quick test whether a line may stand for others: the line must begin like a
// comment or markup, or with a bracket or an ellipsis.
func mayStandFor(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && (strings.IndexByte("/#<{-;%(.[*", line[0]) >= 0 || strings.HasPrefix(line, "…") || strings.HasPrefix(line, "⋮"))
}

// omitted returns the doubt about a new line of a run that the file does not have.
func (c *Change) omitted(r Run, i int) *Doubt {
	line := strings.TrimSpace(r.New[i])
	bracketed := elision.IsNote(line)
	known := bracketed || elision.IsPlaceholder(line) && strings.ContainsFunc(line, unicode.IsLetter)
	dots := bracketed || strings.Contains(line, "...") || strings.Contains(line, "…")
	if !known && elision.SortOf(line) != elision.Elision {
		return nil
	}
	d := &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.Omission}
	if c.Whole && c.MayBePart {
		d.Verdict = diag.Error
	}
	if !c.Meter.Pay(meter.Line * len(r.New)) {
		return nil // the plan refuses the reply
	}
	said := fmt.Sprintf("%s, %q, is a placeholder for what was left out", c.lineOf(r, i), line)
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
		d.Message = said + ", but " + c.Path + " does not exist; check the path, or ask for the whole file"
	case len(gone) > 0:
		d.Message = fmt.Sprintf("%s: %s of %s would be lost; %s", said, lineRanges(gone), c.Path, c.instead())
		d.Fixes = c.keeping(r, i)
	case known && (dots || c.Whole):
		d.Message = said + ", and would be written into " + c.Path + "; " + c.instead()
	default:
		return nil
	}
	return d
}

// lineOf describes a new line of a run in such a way that a person can find it in the block.
func (c *Change) lineOf(r Run, i int) string {
	if c.Whole {
		return fmt.Sprintf("line %d of the text", r.NewLine+i)
	}
	return "a line of the new text"
}

// instead says how to ask the model for a better text.
func (c *Change) instead() string {
	if c.Whole {
		return "ask for the whole file, or for a patch"
	}
	return "write out all lines that stay, or replace fewer lines"
}

// has reports whether the file has a line before the change. White space at the ends of the line
// does not count.
func (c *Change) has(line string) bool {
	line = strings.TrimSpace(line)
	if c.lines == nil {
		c.lines = map[string]bool{}
		for _, l := range linesOf(c.Before()) {
			c.lines[strings.TrimSpace(l)] = true
		}
	}
	return c.lines[line]
}
