package toolcall

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type call struct {
	tool   edittools.Tool
	at     text.Span // of the whole call
	head   text.Span // the text that diagnostics about missing parameters underline
	params map[string]param
	report func(diag.Diagnostic)
	rest   *[]text.Span // gets the lines of parameters outside of SEARCH/REPLACE blocks; nil for JSON
	failed bool
	open   bool // it is unknown whether the last line of the text has an ending
}

type param struct {
	text string
	at   intent.Literal
	diff searchblock.Lines // the lines of the text, if it has SEARCH/REPLACE blocks
	in   intent.Quotation  // converts spans of `diff` to spans of the body; nil if they are the same
	line int               // the line number, from 1, for blocks that give none; 0 if unknown
}

func (c *call) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	c.failed = true
	c.report(diag.New(code, at, message, fixes...))
}

func (c *call) need(name string, missing diag.Code, why string) param {
	p, ok := c.params[name]
	if !ok && !c.failed {
		c.fail(missing, c.head, fmt.Sprintf("`%s` is missing; %s", name, why))
	}
	return p
}

func (c *call) change() (intent.Change, bool) {
	path := c.need(c.tool.Path, diag.MissingPath, "it names the file")
	change := intent.Change{Kind: intent.Edit, Path: path.text, PathAt: path.at, At: c.at}
	switch c.tool.Does {
	case edittools.Creates, edittools.Writes:
		c.whole(&change)
	case edittools.Replaces, edittools.ReplacesAll:
		change.Steps = c.replacement()
	case edittools.Inserts, edittools.InsertsBefore:
		change.Steps = c.insertion()
	case edittools.Appends:
		change.Steps = c.appending()
	case edittools.Patches:
		c.blocks(&change)
	case edittools.Deletes:
		change.Kind = intent.Delete
	case edittools.Moves:
		to := c.need(c.tool.To, diag.MissingPath, "it is the new path of the file")
		change.Kind, change.To, change.ToAt = intent.Rename, to.text, to.at
	case edittools.MakesFolder:
		change.Kind = intent.MakeDir
	}
	return change, !c.failed
}

func (c *call) whole(change *intent.Change) {
	content := c.need(c.tool.Text, diag.MissingContent, "it is the whole text of the file")
	change.Kind, change.MayBePart = intent.Write, true
	if c.tool.Does == edittools.Creates {
		change.Kind, change.MayBePart = intent.Create, false
	}
	change.Content, change.ContentAt, change.OpenEnd = content.text, content.at, c.open
	if s := change.Content; c.open && s != "" && !strings.HasSuffix(s, "\n") {
		change.Content += string(cmp.Or(text.DominantEOL(s), text.LF))
	}
}

func (c *call) replacement() []intent.Step {
	find := c.need(c.tool.Old, diag.MissingFind, "it is the text to look for")
	replace := c.need(c.tool.Text, diag.MissingReplace, "it is the new text; an empty string deletes the old text")
	if find.text == "" && !c.failed {
		c.fail(diag.EmptyFind, find.at.Shown(), fmt.Sprintf("`%s` is empty; write the text to replace, copied from the file, or create the file", c.tool.Old))
	}
	if c.failed {
		return nil
	}
	if text.WithEOL(find.text, text.LF) == text.WithEOL(replace.text, text.LF) {
		c.report(diag.New(diag.FindEqualsReplace, replace.at.Shown(),
			fmt.Sprintf("`%s` is the same as `%s`, so nothing will change", c.tool.Text, c.tool.Old)))
	}
	r := findreplace.Replacement{Find: find.text, Replace: replace.text, Limit: findreplace.Only, At: c.at, FindAt: find.at, ReplaceAt: replace.at,
		FindName: "`" + c.tool.Old + "`", ReplaceName: "`" + c.tool.Text + "`"}
	if c.tool.Does == edittools.ReplacesAll || c.params[c.tool.All].text == "true" {
		r.Limit = findreplace.All
	}
	if count, ok := c.params[c.tool.Count]; ok {
		n, err := strconv.Atoi(strings.TrimSpace(count.text))
		if err != nil || n < 1 {
			c.fail(diag.UnsupportedOption, count.at.Shown(), fmt.Sprintf("`%s` is %s; it must be the number of replacements, at least 1", c.tool.Count, strconv.Quote(count.text)))
			return nil
		}
		if n > 1 {
			r.Limit, r.Count = findreplace.All, n
		}
	}
	return []intent.Step{r}
}

func (c *call) insertion() []intent.Step {
	line := c.need(c.tool.Line, diag.InsertLine, "it is the line of the file after which to insert")
	added := c.need(c.tool.Text, diag.MissingContent, "it is the text to insert")
	n, err := strconv.Atoi(strings.TrimSpace(line.text))
	if (err != nil || n < 0) && !c.failed {
		c.fail(diag.InsertLine, line.at.Shown(), fmt.Sprintf("`%s` is %s; it must be a line number, counted from 0", c.tool.Line, strconv.Quote(line.text)))
	}
	if c.failed {
		return nil
	}
	i := insertion{After: n, Lines: added.text, At: c.at, LineAt: line.at, LinesAt: added.at, LineName: c.tool.Line}
	if c.tool.Does == edittools.InsertsBefore {
		i.After, i.Before = n-1, true
	}
	return []intent.Step{i}
}

func (c *call) appending() []intent.Step {
	added := c.need(c.tool.Text, diag.MissingContent, "it is the text to append")
	if c.failed {
		return nil
	}
	return []intent.Step{insertion{After: -1, Lines: added.text, At: c.at, LinesAt: added.at}}
}

func (c *call) blocks(change *intent.Change) {
	diff := c.need(c.tool.Text, diag.MissingContent, "it contains the SEARCH/REPLACE blocks")
	if c.failed {
		return
	}
	pairs := searchblock.Scan(diff.diff)
	c.strayMarks(diff, pairs)
	c.keepRest(diff, pairs)
	for _, p := range pairs {
		if p.Problem != "" {
			c.failIn(diff, searchblock.Broken(diff.diff.At(p.ProblemAt), p.Problem))
			continue
		}
		p.Stated = cmp.Or(p.Stated, diff.line)
		edit := p.Edit(diff.diff)
		change.MayCreate = change.MayCreate || len(pairs) == 1 && edit.Readings[0].Find == ""
		change.Steps = append(change.Steps, diff.step(edit))
	}
}

func (c *call) keepRest(diff param, pairs []searchblock.Pair) {
	if c.rest == nil {
		return
	}
	from := 0
	for i := range len(pairs) + 1 {
		to := diff.diff.Count()
		if i < len(pairs) {
			to = pairs[i].Head
		}
		if at := diff.diff.Span(from, to); strings.TrimSpace(at.In(diff.diff.Body)) != "" {
			*c.rest = append(*c.rest, at)
		}
		if i < len(pairs) {
			from = pairs[i].After()
		}
	}
}

// strayMarks reports marks outside of any SEARCH/REPLACE block, and a parameter without such a block.
func (c *call) strayMarks(diff param, pairs []searchblock.Pair) {
	like := searchblock.AllMisspelt(diff.diff, pairs)
	for _, m := range like {
		c.failIn(diff, m.Diagnostic(""))
	}
	for _, d := range searchblock.Stray(diff.diff, pairs) {
		c.failIn(diff, d)
	}
	if len(pairs) == 0 && !c.failed {
		c.fail(diag.SearchMarks, diff.at.Shown(), fmt.Sprintf("`%s` has no SEARCH/REPLACE block: `<<<<<<< SEARCH` begins one", c.tool.Text))
	}
}

// failIn adds an error whose spans are in the lines of a parameter.
func (c *call) failIn(p param, d diag.Diagnostic) {
	if p.in != nil {
		d = intent.Diagnostic(p.in, d)
	}
	c.failed = true
	c.report(d)
}

// step converts the spans of a step from the lines of a parameter to the body.
func (p param) step(s intent.Step) intent.Step {
	if p.in == nil {
		return s
	}
	return intent.Quoted{In: p.in, Step: s}
}
