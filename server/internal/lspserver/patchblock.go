package lspserver

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// isPatch reports whether a block is lines of a patch, and not JSON: what it holds
// is known by its Parts and Places then.
func isPatch(b check.Block) bool { return !slices.Contains(b.Format.Fences, "json") }

// parsed are the blocks of a document that are patches. Nothing is planned.
func parsed(ctx context.Context, doc *Document) ([]check.Block, error) {
	r, err := check.Check(ctx, []check.Document{doc.forEngine()}, check.Where{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(r.Blocks, func(b check.Block) bool { return !isPatch(b) }), nil
}

// A partHit is a part of a block at a place in the document.
type partHit struct {
	*checked
	block check.Block
	index int
	at    int // in the document
}

// partHit is the innermost part that a position is in.
func (s *Server) partHit(ctx context.Context, snapshot Snapshot, doc *Document, p protocol.Position) (partHit, bool, error) {
	if doc == nil || !isReply(doc) {
		return partHit{}, false, nil
	}
	c, err := s.check(ctx, snapshot, aptix.Target{URI: string(doc.URI)})
	if err != nil {
		return partHit{}, false, err
	}
	at := lspconv.Offset(c.lines, p)
	for _, b := range c.Blocks {
		if i := partAt(b, at); i >= 0 && isPatch(b) {
			return partHit{c, b, i, at}, true, nil
		}
	}
	return partHit{}, false, nil
}

// partAt is the index of the innermost part at an offset of the document; -1 for
// none.
func partAt(b check.Block, at int) int {
	found := -1
	for i, p := range b.Parts {
		if p.At.Start <= at && at < p.At.End && (found < 0 || p.Of >= 0) {
			found = i
		}
	}
	return found
}

func (h partHit) part() check.Part { return h.block.Parts[h.index] }

// headLine is the first line of the part, without its ending.
func (h partHit) headLine() text.Span {
	doc := h.Documents[0].Text
	end, _ := text.LineEnd(doc, h.part().At.Start)
	return text.Span{Start: h.part().At.Start, End: end}
}

// lineAt is the line that the position is on, without its ending.
func (h partHit) lineAt() text.Span {
	doc := h.Documents[0].Text
	start := strings.LastIndexAny(doc[:h.at], "\r\n") + 1
	end, _ := text.LineEnd(doc, start)
	return text.Span{Start: start, End: end}
}

// places are where the part stands. One that has parts stands where these do.
func (h partHit) places() []plan.Place {
	var found []plan.Place
	for _, p := range h.block.Places {
		if h.part().At.Contains(p.At) {
			found = append(found, p)
		}
	}
	return found
}

// file is what becomes of the file that the part is of; nil where nothing is known.
func (h partHit) file() *plan.File {
	whole := h.part()
	if whole.Of >= 0 {
		whole = h.block.Parts[whole.Of]
	}
	for i, f := range h.block.Files {
		if whole.At.Contains(h.block.HostSpan(f.At)) {
			return &h.block.Files[i]
		}
	}
	return nil
}

// A spotInFile is where a place of the plan is in a file as the editor shows it.
type spotInFile struct {
	path string
	at   protocol.Range
}

// shown translates a place: what came before it in the block may have moved it, and
// the file may have its new name already.
func (h partHit) shown(p plan.Place) spotInFile {
	name := p.Path
	for _, f := range h.block.Files {
		if f.Operation == plan.Rename && f.Path == name && f.State == plan.Done {
			name = f.To
		}
	}
	met, enc, err := text.Decode(p.Text)
	if err != nil || enc != text.UTF8 && enc != text.UTF8BOM {
		return spotInFile{path: name}
	}
	mark := len(p.Text) - len(met)
	in := p.In.Shift(-mark)
	now := h.view.text(name)
	edits := diff.Edits(now, met)
	lines := text.NewLines(now)
	start, end := undone(edits, max(in.Start, 0)), undone(edits, max(in.End, 0))
	return spotInFile{name, lspconv.Range(lines, text.Span{Start: start, End: max(start, end)})}
}

// undone is where an offset of a text was before edits made that text.
func undone(edits []text.Edit, at int) int {
	grown := 0 // by the edits so far
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

// firstWords is the first line of s that says something about a part: of a
// directive what follows the patch's ID.
func firstWords(b check.Block, s string) string {
	line := firstLine(s)
	if _, words, ok := strings.Cut(line, " "); ok && b.Format.Name == "ap" {
		return strings.TrimSpace(words)
	}
	return line
}
