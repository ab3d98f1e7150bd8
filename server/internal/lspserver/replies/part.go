package replies

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

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
	index int // the index of the part in the block's Parts
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

// aboutPlaces names the places that a part changes. It returns nothing for a whole file, because the parts inside that
// file name the places.
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

// linesOf names the lines of a range, with the first line as number 1. If the range ends at the beginning of a line,
// that line is not named.
func linesOf(r protocol.Range) string {
	last := endLine(r)
	if last == int(r.Start.Line) {
		return fmt.Sprintf("line %d", last+1)
	}
	return fmt.Sprintf("lines %d to %d", r.Start.Line+1, last+1)
}

// places returns the places in files that the part changes. For a whole file, these are the places of the parts
// inside.
func (p part) places() []plan.Place {
	return text.Only(p.block.Places, func(place plan.Place) bool { return p.itself().At.Contains(place.At) })
}

// file returns the planned change of the part's file, or nil if it is unknown.
func (p part) file() *plan.BlockFile {
	change := -1
	for _, other := range p.block.Parts[:p.index+1] {
		if other.Of < 0 {
			change++
		}
	}
	return p.block.FileOf(change)
}

type shownPlace struct {
	path string
	at   protocol.Range
}

// shown returns a place of the part in the file as the editor shows the file now. Earlier edits of the block may have
// moved the place, and the file may already have its new name.
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

// undone converts an offset in the text after the edits into the offset in the text before them.
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
