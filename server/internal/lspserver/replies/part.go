package replies

import (
	"fmt"
	"slices"
	"strings"

	aptix "github.com/aptix-dev/aptix/protocol"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A part is a part of a block, such as a hunk, together with the check of its document.
type part struct {
	*Reply
	block check.Block
	index int // the index of the part in block.Parts
}

// part returns the part to which the mention refers. It returns false if the block has no such part, for example
// because the part has an error.
func (m Mention) part() (part, bool) {
	at := m.block.HostSpan(m.Entry)
	for i, p := range m.block.Parts {
		if p.At == at {
			return part{m.Reply, m.block, i}, true
		}
	}
	return part{}, false
}

func (p part) itself() check.Part { return p.block.Parts[p.index] }

const skipped = "Skipped: not shown in previews, and not applied."

func (m Mention) aboutPart(p part) string {
	alone, withFile := p.leftOut(p.block, p.index)
	switch {
	case p.View.Folder == nil:
		return "No folder is open, so the file cannot be found."
	case alone || withFile:
		return skipped
	}
	said := p.aboutPlaces()
	if f := p.file(); p.itself().Of < 0 && f != nil {
		said = append([]string{aboutFile(*f)}, said...)
	}
	problem := firstProblem(p.block.Diagnostics, p.itself().At)
	if len(said) == 0 && problem == nil && p.block.State == check.Done {
		said = append(said, "Already applied.")
	}
	return strings.Join(append(said, m.problem(problem)...), "\n\n")
}

// aboutPlaces names the places that a part changes. It returns nil for a whole file, because the parts inside that file
// name the places.
func (p part) aboutPlaces() []string {
	if p.itself().Of < 0 {
		return nil
	}
	var said []string
	for _, place := range p.places() {
		shown := p.shown(place)
		where := fmt.Sprintf("%s, %s", escape.Code(shown.path), linesOf(shown.at))
		if place.Done {
			said = append(said, "Already applied: it is in "+where+".")
		} else {
			said = append(said, "Applies to "+where+".")
		}
	}
	return said
}

// linesOf names the lines of a range, counted from 1. If the range ends at the beginning of a line, that line is not
// named.
func linesOf(r protocol.Range) string {
	return text.LineNames(int(r.Start.Line)+1, endLine(r)+1)
}

// places returns the places in files that the part changes. For a whole file, these are the places of the parts inside.
func (p part) places() []plan.Place {
	return text.Only(p.block.Places, func(place plan.Place) bool { return p.itself().At.Contains(place.At) })
}

// file returns the planned change of the part's file, or nil if it is unknown.
func (p part) file() *plan.BlockFile {
	change := -1
	change += text.Count(p.block.Parts[:p.index+1], func(other check.Part) bool { return other.Of < 0 })
	return p.block.FileOf(change)
}

type shownPlace struct {
	path string
	at   protocol.Range
}

// shown converts a place of the part to a range of the file in the editor. Earlier edits of the block may have moved
// the place, and the file may already have its new name.
func (p part) shown(place plan.Place) shownPlace {
	name := place.Path
	for _, f := range p.block.Files {
		if f.Operation == plan.Rename && f.Path == name && f.State == plan.Done {
			name = f.To
		}
	}
	whole := place.Text.String()
	met, enc, err := text.Decode(whole)
	if err != nil || enc != text.UTF8 && enc != text.UTF8BOM {
		return shownPlace{path: name}
	}
	mark := len(whole) - len(met)
	in := place.In.Shift(-mark)
	now := p.View.Text(name)
	edits := diff.Edits(now, met)
	lines := text.NewLines(now)
	start, end := undone(edits, max(in.Start, 0)), undone(edits, max(in.End, 0))
	return shownPlace{name, lspconv.Range(lines, text.Span{Start: start, End: max(start, end)})}
}

// undone converts an offset in the text after the edits to the offset in the text before them.
func undone(edits []text.Edit, at int) int {
	grown := 0 // how many bytes the edits have added so far
	for _, e := range edits {
		start := e.Span.Start + grown
		if at < start {
			break
		}
		if at < start+len(e.New) {
			return e.Span.Start
		}
		grown += len(e.New) - e.Span.Len()
	}
	return at - grown
}

// PartsAt returns the parts of the reply that make the hunk at a line of a preview or, if `file` is true, all changes
// to the file that the preview shows.
func (c *Reply) PartsAt(document string, line int, file bool) (aptix.PartsAt, error) {
	found := aptix.PartsAt{Parts: []aptix.SkipParams{}}
	side, err := uri.Parse(document)
	if err != nil {
		return found, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	name := strings.TrimPrefix(side.Path(), "/")
	i := slices.IndexFunc(c.Plan.Files, func(f plan.File) bool { return f.Path == name || f.Target() == name })
	if i < 0 {
		found.Message = "The reply has changed since this preview; open it again"
		return found, nil
	}
	f := c.Plan.Files[i]
	hunk, ok := hunkAt(f, line, strings.HasSuffix(string(side), "-after"))
	if !ok && !file {
		found.Message = "There is no change at the cursor"
		return found, nil
	}
	for _, b := range c.Blocks {
		for _, i := range c.Making(b, f.Path, hunk, file) {
			found.Parts = append(found.Parts, aptix.SkipParams{URI: string(c.URI), Block: b.Index, Part: i, Mode: aptix.SkipThis})
		}
	}
	if len(found.Parts) == 0 {
		found.Message = "This change cannot be skipped alone; skip its file or its block"
	}
	return found, nil
}

func hunkAt(f plan.File, line int, after bool) (diff.Run, bool) {
	runs := diff.Runs(ShownText(f.Before), ShownText(f.After))
	i := slices.IndexFunc(runs, func(r diff.Run) bool {
		start, end := r.OldStart, r.OldEnd
		if after {
			start, end = r.NewStart, r.NewEnd
		}
		return start <= line && line < max(end, start+1)
	})
	if i < 0 {
		return diff.Run{}, false
	}
	return runs[i], true
}

// Making returns the parts of a block that change the lines of a hunk. If `file` is true, it returns all parts that
// change the file. It replaces a part that a person cannot choose with the part for the file.
func (c *Reply) Making(b check.Block, path string, hunk diff.Run, file bool) (parts []int) {
	choosable := c.choosable(b)
	for i := range b.Parts {
		p := part{c, b, i}
		of, places := p.itself().Of, p.places()
		touches := slices.ContainsFunc(places, func(place plan.Place) bool { return p.shown(place).touches(path, hunk) })
		switch {
		case file || of < 0 && len(places) == 0:
			if of < 0 && p.changes(path) {
				parts = append(parts, i)
			}
		case !touches || slices.ContainsFunc(b.Parts, func(p check.Part) bool { return p.Of == i }):
		case of < 0 || choosable(p.itself()) != "":
			parts = append(parts, i)
		case c.alone(b, i):
			parts = append(parts, of)
		}
	}
	return parts
}

func (p part) changes(path string) bool {
	f := p.file()
	return p.itself().Path == path || f != nil && (f.Path == path || f.To == path)
}

func (c *Reply) alone(b check.Block, i int) bool {
	return !slices.ContainsFunc(b.Parts, func(p check.Part) bool { return p.Of == b.Parts[i].Of && p.At != b.Parts[i].At })
}

// touches reports whether a place contains old lines of a hunk. For a hunk that only inserts lines, the line above or
// below the insertion is enough.
func (s shownPlace) touches(path string, hunk diff.Run) bool {
	start, end := hunk.OldStart, hunk.OldEnd
	if start == end {
		start, end = start-1, end+1
	}
	return s.path == path && int(s.at.Start.Line) < end && start <= endLine(s.at)
}

// endLine returns the last line of a range. If the range ends at the beginning of a line, this is the line above.
func endLine(r protocol.Range) int {
	if r.End.Character == 0 && r.End.Line > r.Start.Line {
		return int(r.End.Line) - 1
	}
	return int(r.End.Line)
}
