package lspserver

import (
	"context"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

// address answers the request aptix/address about a text that has code blocks but no edits. If the request chooses no
// files, the answer lists the files to which each code block may belong. Otherwise, the answer is the text with a new
// line above each chosen block that names the block's file. The formats then decide whether the code is a whole file
// or a part of a file.
func (s *Server) address(ctx context.Context, p *aptix.AddressParams) (aptix.AddressResult, error) {
	c, err := s.check(ctx, documents.SnapshotOf(ctx), p.Target)
	r := aptix.AddressResult{Blocks: []aptix.Unaddressed{}}
	if err != nil || len(c.Blocks) > 0 || c.view.Folder == nil {
		return r, err
	}
	if len(p.Chosen) > 0 {
		r.Text, err = c.addressed(p.Chosen)
		return r, err
	}
	r.Blocks = append(r.Blocks, c.unaddressed(ctx)...)
	return r, nil
}
