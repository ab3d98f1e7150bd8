package lspserver

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
)

// definition answers textDocument/definition. A path leads to its file. A part of a block, a text to find or a
// replacement leads to its place in the file.
func (s *Server) definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	m, ok, err := s.mentionAt(ctx, p.TextDocumentPositionParams)
	if err != nil || !ok || m.view.Folder == nil {
		return nil, err
	}
	can := s.editor.Capabilities().TextDocument
	return m.definition(can != nil && can.Definition != nil && editor.Yes(can.Definition.LinkSupport)), nil
}
