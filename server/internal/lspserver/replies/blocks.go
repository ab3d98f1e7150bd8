package replies

import (
	"fmt"
	"slices"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ListedBlocks returns the rows of the blocks in the editor's list of replies.
func (c *Reply) ListedBlocks() []aptix.ListedBlock {
	return text.Each(c.Blocks, func(b check.Block) aptix.ListedBlock {
		l := aptix.ListedBlock{
			Index: b.Index, Title: b.Format.Title, State: aptix.BlockState(b.State), Text: c.stateText(b),
			Line: c.Lines.Position(b.Open.Start).Line, Parts: c.listed(b, c.appliedAs(b) != ""),
		}
		l.Skipped = len(l.Parts) > 0 && !slices.ContainsFunc(l.Parts, func(p aptix.ListedPart) bool { return !p.Skipped })
		l.Optional = slices.ContainsFunc(l.Parts, func(p aptix.ListedPart) bool { return p.Optional })
		return l
	})
}

// listed returns the rows for the parts of a block in the editor's list of replies. If the block was already applied,
// the person can include parts again, but cannot leave out more parts.
func (c *Reply) listed(b check.Block, applied bool) []aptix.ListedPart {
	files := []aptix.ListedPart{}
	choosable := c.choosable(b)
	for i, p := range b.Parts {
		l := part{c, b, i}.listed()
		chosen := choosable(p) != "" || p.Of < 0 && len(c.Blocks) > 1
		l.Optional = (!applied || l.Skipped) && b.State != check.Incomplete && chosen
		if p.Of < 0 {
			files = append(files, l)
			continue
		}
		// The parts inside a file follow the part for the file itself.
		file := &files[len(files)-1]
		if file.Skipped || b.Format.Part == "" {
			continue
		}
		l.Name = fmt.Sprintf("%s %d%s", b.Format.Part, len(file.Parts)+1, l.Name)
		file.Parts = append(file.Parts, l)
	}
	for i := range files {
		// A file with a single part needs only its own row.
		if len(files[i].Parts) == 1 {
			files[i].Parts = []aptix.ListedPart{}
		}
	}
	return files
}

// listed returns the row for a part in the editor's list of replies, without the rows of the parts inside it. For a
// part inside a file, the name of the row is only a place, such as ", line 4".
func (p part) listed() aptix.ListedPart {
	l := aptix.ListedPart{Part: p.index, Name: p.itself().Path, Line: p.Lines.Position(p.itself().At.Start).Line, Parts: []aptix.ListedPart{}}
	inner := p.itself().Of >= 0
	if inner {
		l.Name = p.placeName()
	}
	if l.Skipped, _ = p.leftOut(p.block, p.index); l.Skipped {
		return l
	}
	if f := p.file(); f != nil && !inner && (p.block.State != check.Failed || f.Before() != f.After()) {
		l.Text = listedFile(*f)
	}
	if problem := firstProblem(p.block.Diagnostics, p.itself().At); problem != nil {
		l.Problem, l.Failed = problem.Message, problem.Severity == diag.Error
		if f := p.file(); l.Failed || f != nil && f.State == plan.Done {
			l.Text = "" // the file is not changed, and the problem says why
		}
	}
	within := func(at text.Span) bool { return p.itself().At.Contains(at) }
	out := text.Count(p.block.LeftOut(), func(d diag.Diagnostic) bool { return within(d.Span) })
	if steps := text.Count(p.block.Steps(), func(at text.Span) bool { return within(p.block.HostSpan(at)) }); out > 0 && out == steps {
		l.Text, l.Problem = "left out", "the text that it looks for is not in the file"
	} else if out > 0 {
		l.Text += fmt.Sprintf(", %d left out", out)
	}
	return l
}

// placeName returns the place of the part, such as ", line 4". It returns "" if the part has no place, or several.
func (p part) placeName() string {
	places := p.places()
	if p.View.Folder == nil || len(places) != 1 {
		return ""
	}
	return ", " + linesOf(p.shown(places[0]).at)
}

// listedFile describes in a few words how a file changes, for example `modify +3 −1`.
func listedFile(f plan.BlockFile) string {
	if f.State == plan.Done {
		return "already applied"
	}
	added, removed := f.Stat()
	counts := fmt.Sprintf("%s +%d −%d", f.Operation, added, removed)
	if f.Operation == plan.Rename {
		return fmt.Sprintf("%s, to %s", counts, f.To)
	}
	return counts
}
