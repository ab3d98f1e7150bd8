package lspserver

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
)

func (s *Server) documentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	symbols := protocol.DocumentSymbolSlice{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if c != nil {
		symbols = append(symbols, c.outlines()...)
	}
	can := s.editor.Capabilities().TextDocument
	if can != nil && can.DocumentSymbol != nil && editor.Yes(can.DocumentSymbol.HierarchicalDocumentSymbolSupport) {
		return symbols, nil
	}
	return flat(p.TextDocument.URI, symbols, ""), nil
}

func (s *Server) foldingRange(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	folds := []protocol.FoldingRange{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return folds, err
	}
	return append(folds, c.folds()...), nil
}
