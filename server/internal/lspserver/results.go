package lspserver

import (
	"context"
	"maps"
	"sync"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

// results has the latest check of each open reply. The diagnostics, lenses, actions, hovers and symbols of one version
// share this check. Calls that change files never use it: they check again.
type results struct {
	mu   sync.Mutex
	kept map[uri.URI]*keptCheck
}

// A moment identifies a state of everything that a check depends on: `documents` counts the changes of open documents,
// and `others` counts all other reported changes, of files, settings, folders and the history.
type moment struct{ documents, others uint64 }

// A keptCheck is the check of a document at a moment. It may still be in progress.
type keptCheck struct {
	at      moment
	turn    chan struct{}  // has a token while a call checks the document; the other calls wait for the result
	checked *replies.Reply // nil until the check is finished
}

// checkAt returns the kept check of a document if it is for this moment. Otherwise it returns a new check, and keeps it
// unless the old check is for a later moment.
func (r *results) checkAt(u uri.URI, at moment) *keptCheck {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.kept[u]
	if known != nil && known.at == at {
		return known
	}
	fresh := &keptCheck{at: at, turn: make(chan struct{}, 1)}
	if known == nil || known.at.documents <= at.documents && known.at.others <= at.others {
		r.kept[u] = fresh
	}
	return fresh
}

func (r *results) keep(open documents.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.kept, func(u uri.URI, _ *keptCheck) bool { return open.Get(u) == nil })
}

// shownReply returns the check of a document as it was when the call of `ctx` arrived. It returns nil if the document
// is not open, or if the server does not look for a reply in it.
func (s *Server) shownReply(ctx context.Context, u uri.URI) (*replies.Reply, error) {
	snapshot := documents.SnapshotOf(ctx)
	doc := snapshot.Get(u)
	if doc == nil || !replies.MayHold(doc) {
		return nil, nil
	}
	return s.current(ctx, snapshot, doc)
}

// current returns the check of an open document, for display. The caller must not change the result. If the editor does
// not report changed files, no check is kept, because the server would not learn when it is out of date.
func (s *Server) current(ctx context.Context, snapshot documents.Snapshot, doc *documents.Document) (*replies.Reply, error) {
	target := aptix.Target{URI: string(doc.URI)}
	if !s.watched.Load() {
		return s.checkShown(ctx, snapshot, target)
	}
	r := s.results.checkAt(doc.URI, moment{snapshot.Number, s.changes.Load()})
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-r.turn }()
	if r.checked != nil {
		return r.checked, nil
	}
	c, err := s.checkShown(ctx, snapshot, target)
	if err == nil {
		r.checked = c
	}
	return c, err
}
