package lspserver

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/settings"
)

// checkShown checks an open document to show the result to a person who did not request it. If the person applies or
// previews the document, it is checked with all formats instead.
func (s *Server) checkShown(ctx context.Context, snapshot documents.Snapshot, target aptix.Target) (*replies.Reply, error) {
	c, err := s.check(ctx, snapshot, target)
	if err != nil {
		return nil, err
	}
	documentation := s.isDocumentation(ctx, c)
	if documentation && slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.Format.Guest }) {
		if c, err = s.checkAs(ctx, snapshot, target, true, nil); err != nil {
			return nil, err
		}
	}
	c.Documentation = documentation
	s.recall(ctx, c)
	return c, nil
}

// isDocumentation reports whether a document may only describe edits. It returns true if the document has blocks and is
// in the last commit of a workspace folder. It returns false nevertheless if somebody requested a check, if the setting
// aptix.check is `all`, or if git fails.
func (s *Server) isDocumentation(ctx context.Context, c *replies.Reply) bool {
	if c.Document.About.Requested.Load() || s.currentSettings().Check == settings.CheckAll || len(c.Blocks) == 0 {
		return false
	}
	file, ok := lspconv.Path(c.URI)
	if !ok || !s.folders.Holds(c.URI) {
		return false
	}
	committed, err := git.Committed(ctx, file)
	if err != nil {
		s.conn.Log().Debug("git could not say whether a document is in the last commit", zap.String("uri", string(c.URI)), zap.Error(err))
	}
	return committed
}

func (s *Server) underlines(c *replies.Reply) bool {
	return s.currentSettings().Check != settings.CheckOff || c.Document.About.Requested.Load()
}

func (s *Server) request(ctx context.Context, target aptix.Target) error {
	snapshot := s.docs.Snapshot()
	doc := snapshot.Get(lspconv.Canonical(target.URI))
	if doc == nil {
		return notOpen(target.URI)
	}
	doc.About.Requested.Store(true)
	doc.About.Dismissed.Store(false)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	c, err := s.check(ctx, snapshot, aptix.Target{URI: target.URI})
	if err != nil || len(c.Blocks) > 0 {
		return err
	}
	return s.editor.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: c.NoneFound()})
}

func (s *Server) dismiss(ctx context.Context, target aptix.Target) error {
	doc := s.docs.Snapshot().Get(lspconv.Canonical(target.URI))
	if doc == nil {
		return nil
	}
	doc.About.Dismissed.Store(true)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return s.editor.Status(ctx, aptix.Status{URI: target.URI})
}
