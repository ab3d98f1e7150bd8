package lspserver

import (
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/settings"
)

// checkShown is the check of an open document for what an editor shows unasked. What a
// person applies or previews is checked with all formats.
func (s *Server) checkShown(ctx context.Context, snapshot Snapshot, target aptix.Target) (*checked, error) {
	c, err := s.check(ctx, snapshot, target)
	if err != nil || !s.hidesGuests(ctx, c) {
		return c, err
	}
	return s.checkAs(ctx, snapshot, target, true)
}

// hidesGuests reports whether the blocks of guest formats in a document are not shown: it
// is tracked by git, and so is documentation rather than a reply. Git is asked only about
// a document that has such blocks. Where it cannot tell, they are shown.
func (s *Server) hidesGuests(ctx context.Context, c *checked) bool {
	isGuest := func(b check.Block) bool { return b.Format.Guest }
	if c.doc.requested.Load() || s.currentSettings().Formats == settings.FormatsAll || !slices.ContainsFunc(c.Blocks, isGuest) {
		return false
	}
	file, ok := s.inWorkspace(c.uri)
	if !ok {
		return false
	}
	tracked, err := disk.Tracked(ctx, file)
	if err != nil {
		s.conn.Log().Debug("git cannot tell whether it tracks a document", zap.String("uri", string(c.uri)), zap.Error(err))
	}
	return tracked
}

// inWorkspace is the file of a document; false for one that is below no workspace folder.
func (s *Server) inWorkspace(u uri.URI) (file string, ok bool) {
	file, ok = lspconv.Path(u)
	f := s.workspaceFolder(u)
	if !ok || f == nil {
		return "", false
	}
	_, ok = f.relative(file)
	return file, ok
}

// request is aptix.check.
func (s *Server) request(ctx context.Context, target aptix.Target) error {
	snapshot := s.docs.Snapshot()
	doc := snapshot.Get(uri.URI(target.URI))
	if doc == nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no document %s is open", target.URI)
	}
	doc.requested.Store(true)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	c, err := s.check(ctx, snapshot, aptix.Target{URI: target.URI})
	if err != nil || len(c.Blocks) > 0 {
		return err
	}
	return s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "No Aptix block found"})
}
