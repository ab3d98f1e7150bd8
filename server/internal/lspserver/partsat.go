package lspserver

import (
	"context"

	aptix "github.com/aptix-dev/aptix/protocol"
)

func (s *Server) partsAt(ctx context.Context, p *aptix.PartsAtParams) (aptix.PartsAt, error) {
	if p.Target.Text != nil {
		return aptix.PartsAt{Parts: []aptix.SkipParams{}, Message: "Open the reply as a document to skip parts of it"}, nil
	}
	c, err := s.checkWanted(ctx, s.docs.Snapshot(), p.Target)
	if err != nil {
		return aptix.PartsAt{}, err
	}
	return c.partsAt(p.Document, p.Line, p.File)
}
