package lspserver

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// hoverPatch is what there is to say about a place in a patch: what its directive
// means, and what becomes of the file or hunk that begins there.
func (s *Server) hoverPatch(ctx context.Context, snapshot Snapshot, doc *Document, p protocol.Position) (*protocol.Hover, error) {
	h, ok, err := s.partHit(ctx, snapshot, doc, p)
	if err != nil || !ok {
		return nil, err
	}
	said, at := aboutDirective(doc.Text, h.block, h.at)
	if head := h.headLine(); h.at <= head.End {
		at = head
		said = strings.TrimPrefix(said+"\n\n"+h.about(), "\n\n")
	}
	if said == "" {
		return nil, nil
	}
	r := lspconv.Range(h.lines, at)
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: said}, Range: &r}, nil
}

// about is what becomes of a part of a patch, and the first thing that is wrong
// with it.
func (h partHit) about() string {
	itself, withFile := h.leftOut(h.block, h.index)
	switch {
	case h.view.folder == nil:
		return "No folder is open, so the path leads nowhere."
	case itself || withFile:
		return "Skipped: it is left out of previews and applies."
	}
	said := h.aboutPlaces()
	if f := h.file(); h.part().Of < 0 && f != nil {
		said = append([]string{aboutFile(*f)}, said...)
	}
	if problem := firstProblem(h.block.Diagnostics, h.part().At); problem != nil {
		said = append(said, fmt.Sprintf("**%s:** %s", problem.Severity, problem.Message))
	}
	if len(said) == 0 && h.block.State == check.Done {
		said = append(said, "Already applied.")
	}
	return strings.Join(said, "\n\n")
}

// aboutPlaces says where a hunk stands. A file has its hunks for that.
func (h partHit) aboutPlaces() []string {
	if h.part().Of < 0 {
		return nil
	}
	var said []string
	for _, p := range h.places() {
		spot := h.shown(p)
		where := fmt.Sprintf("%s, %s", code(spot.path), linesOf(spot.at))
		if p.Done {
			said = append(said, "Already applied: it stands in "+where+".")
		} else {
			said = append(said, "Applies to "+where+".")
		}
	}
	return said
}

// linesOf counts from 1. What ends where a line begins does not reach into it.
func linesOf(r protocol.Range) string {
	last := r.End.Line
	if r.End.Character == 0 && last > r.Start.Line {
		last--
	}
	if last == r.Start.Line {
		return fmt.Sprintf("line %d", last+1)
	}
	return fmt.Sprintf("lines %d to %d", r.Start.Line+1, last+1)
}

// definePart leads from a hunk to its place, and from elsewhere in a file's part to
// the file.
func (s *Server) definePart(h partHit) protocol.DefinitionResult {
	if h.view.folder == nil {
		return nil
	}
	var spots []spotInFile
	if h.part().Of >= 0 {
		for _, p := range h.places() {
			spots = append(spots, h.shown(p))
		}
	}
	if f := h.file(); len(spots) == 0 && f != nil {
		spots = []spotInFile{{path: f.Path}, {path: f.Target()}}
	}
	for _, spot := range spots {
		if target, ok := h.view.document(spot.path); ok {
			return s.links(target, []protocol.Range{spot.at}, lspconv.Range(h.lines, h.lineAt()))
		}
	}
	return nil
}
