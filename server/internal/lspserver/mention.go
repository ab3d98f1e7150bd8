package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
)

// mentionAt returns the mention at a position. It returns false if no block is there.
func (s *Server) mentionAt(ctx context.Context, p protocol.TextDocumentPositionParams) (mention, bool, error) {
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return mention{}, false, err
	}
	m, ok := c.mentionAt(p.Position)
	return m, ok, nil
}

// hover answers textDocument/hover.
func (s *Server) hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	m, ok, err := s.mentionAt(ctx, p.TextDocumentPositionParams)
	if err != nil || !ok {
		return nil, err
	}
	shows := s.editor.Options().HoverProblems && s.underlines(m.checked)
	return m.hover(shows, s.hasSchemas(m.doc)), nil
}
