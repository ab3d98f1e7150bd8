package replies

import (
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// PartsAt returns the parts that produce a hunk, or a file, of a preview of the plan.
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
// change the file. In place of a part that a person cannot choose, it returns the part for the file.
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

// endLine returns the last line of a range. If the range ends at the beginning of a line, that line does not belong to
// it.
func endLine(r protocol.Range) int {
	if r.End.Character == 0 && r.End.Line > r.Start.Line {
		return int(r.End.Line) - 1
	}
	return int(r.End.Line)
}
