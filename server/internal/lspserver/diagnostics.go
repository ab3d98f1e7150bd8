package lspserver

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
)

// quiet is how long nothing may change before diagnostics are made: a person who
// types wants them at the next pause, not at each key.
const quiet = 120 * time.Millisecond

// keepFresh publishes diagnostics whenever something changed that they depend
// on: a reply, a file that is open, a file on disk, a setting.
func (s *Server) keepFresh(ctx context.Context) {
	published := map[uri.URI]string{}
	_, changed := s.docs.watch()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-s.stale:
		}
		var snapshot Snapshot
		snapshot, changed = s.settle(ctx)
		s.publishAll(ctx, snapshot, published)
	}
}

// settle waits until nothing has changed for a while, or ctx is done. The
// channel is that of the snapshot: what changes while it is being published is
// not missed.
func (s *Server) settle(ctx context.Context) (Snapshot, <-chan struct{}) {
	for {
		snapshot, changed := s.docs.watch()
		select {
		case <-changed:
		case <-s.stale:
		case <-ctx.Done():
			return snapshot, changed
		case <-time.After(quiet):
			return snapshot, changed
		}
	}
}

// publishAll publishes for every reply, and clears those that are gone.
// published holds what was last said of each, so that lenses are refreshed only
// where that changed.
func (s *Server) publishAll(ctx context.Context, snapshot Snapshot, published map[uri.URI]string) {
	moved := false
	for u, doc := range snapshot.All() {
		if !mayHold(doc) {
			continue
		}
		said, err := s.publish(ctx, snapshot, doc)
		if err != nil {
			s.conn.Log().Error("check failed", zap.String("uri", string(u)), zap.Error(err))
			continue
		}
		moved = moved || published[u] != said
		published[u] = said
	}
	s.choices.keep(snapshot)
	s.results.keep(snapshot)
	for u := range published {
		if snapshot.Get(u) == nil {
			delete(published, u)
			s.notify(s.client.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: []protocol.Diagnostic{}}))
		}
	}
	if moved {
		s.refreshLenses(ctx)
	}
}

// publish sends a document's diagnostics and status, and returns what it said.
func (s *Server) publish(ctx context.Context, snapshot Snapshot, doc *Document) (string, error) {
	c, err := s.current(ctx, snapshot, doc)
	if err != nil {
		return "", err
	}
	var all []diag.Diagnostic
	said := ""
	for _, b := range c.Blocks {
		all = append(all, b.Diagnostics...)
		said += fmt.Sprintf("%d %s;", b.Open.Start, c.stateText(b))
	}
	if c.Declined {
		said = "declined"
		all = append(all, diag.Diagnostic{Span: c.DeclinedAt, Severity: diag.Info, Code: diag.Declined,
			Message: "the reply says that no safe edit can be made; ask for a full file bundle instead"})
	}
	s.notify(s.client.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{
		URI: doc.URI, Version: protocol.NewOptional(doc.Version), Diagnostics: s.underlined(c, all),
	}))
	s.notify(s.client.Status(ctx, status(c)))
	return said, nil
}

func status(c *checked) aptix.Status {
	st := aptix.Status{URI: string(c.uri), Blocks: len(c.Blocks), Text: c.summary()}
	for _, b := range c.Blocks {
		switch b.State {
		case check.Ready:
			st.Ready++
		case check.Failed:
			if !c.documentation {
				st.Errors++
			}
		}
	}
	return st
}

// notify logs a notification that could not be sent.
func (s *Server) notify(err error) {
	if err != nil {
		s.conn.Log().Debug("a notification was not sent", zap.Error(err))
	}
}
