package lspserver

import (
	"context"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

func (s *Server) blocks(ctx context.Context, p *aptix.BlocksParams) (aptix.Blocks, error) {
	listed := aptix.Blocks{Blocks: []aptix.ListedBlock{}, Unread: []aptix.ListedUnread{}}
	u := uri.URI(p.URI)
	if documents.SnapshotOf(ctx).Get(u) == nil {
		return listed, notOpen(p.URI)
	}
	c, err := s.shownReply(ctx, u)
	if err != nil || c == nil {
		return listed, err
	}
	listed.Blocks = append(listed.Blocks, c.listedBlocks()...)
	for _, u := range c.Unread {
		listed.Unread = append(listed.Unread, aptix.ListedUnread{Text: u.What, Asks: u.Diagnostic.Asks(), Line: u.Line - 1})
	}
	return listed, nil
}
