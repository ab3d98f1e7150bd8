package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
)

// foldingRange returns a range for each file of a patch, and for each hunk.
func (s *Server) foldingRange(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	folds := []protocol.FoldingRange{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return folds, err
	}
	for _, b := range c.Blocks {
		if !b.Format.Folds {
			continue
		}
		for _, part := range b.Parts {
			shown := strings.TrimRight(part.At.In(c.doc.Text), "> \t\r\n") // cuts off the prefixes of empty lines, too
			first, last := c.lines.Position(part.At.Start).Line, c.lines.Position(part.At.Start+len(shown)).Line
			if last > first {
				folds = append(folds, protocol.FoldingRange{StartLine: uint32(first), EndLine: uint32(last)})
			}
		}
	}
	return folds, nil
}
