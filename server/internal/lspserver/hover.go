package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// hover answers textDocument/hover, with the format's description of the place and the
// results of the block's check.
func (s *Server) hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	m, ok, err := s.mentionAt(ctx, p.TextDocumentPositionParams)
	if err != nil || !ok {
		return nil, err
	}
	if !s.hoverProblems(m.checked) {
		m.at = -1
	}
	var said []string
	if m.Doc != "" && !s.hasSchemas(m.doc) {
		said = append(said, m.Doc)
	}
	if more := s.about(m); more != "" {
		said = append(said, more)
	}
	if len(said) == 0 {
		return nil, nil
	}
	at := lspconv.Range(m.lines, m.block.HostSpan(m.Span))
	text := strings.Join(said, "\n\n")
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &at}, nil
}

// hoverProblems reports whether the editor's hovers contain the problems of a document.
func (s *Server) hoverProblems(c *checked) bool {
	return s.clientOptions().HoverProblems && s.underlines(c)
}

// about returns, as Markdown, what the check found about a mention.
func (s *Server) about(m mention) string {
	switch m.Subject {
	case format.File:
		return strings.TrimSpace(m.aboutEntry() + "\n\n" + s.aboutSum(m))
	case format.Sum:
		if m.view.folder == nil {
			return m.aboutEntry()
		}
		return s.aboutSum(m)
	case format.Part:
		if p, ok := m.part(); ok {
			return m.aboutPart(p)
		}
	}
	return ""
}
