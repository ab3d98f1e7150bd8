package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
)

func (s *Server) codeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	if !s.currentSettings().CodeLens {
		return []protocol.CodeLens{}, nil
	}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return []protocol.CodeLens{}, err
	}
	return c.lenses(), nil
}
