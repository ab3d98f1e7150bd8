package lspserver

import (
	"context"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

const (
	// longestWait limits the time without new diagnostics while a person types.
	longestWait = time.Second
	// settingsTime limits how long the first diagnostics wait for settings. If the settings arrive later, the
	// diagnostics are published again.
	settingsTime = 5 * time.Second
)

// keepFresh publishes diagnostics whenever a reply, an open file, a file on disk or a setting changes. After
// publishing, it pauses for as long as publishing took. If publishing is fast, the diagnostics are therefore up to date
// after each key. If it is slow, it takes at most half of a processor's time. `changed` is closed when a document
// changes for the first time.
func (s *Server) keepFresh(ctx context.Context, changed <-chan struct{}) {
	var next time.Time
	published := map[uri.URI]publication{}
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-s.stale:
		}
		if first {
			short, cancel := context.WithTimeout(ctx, settingsTime)
			s.awaitSettings(short)
			cancel()
		}
		var snapshot documents.Snapshot
		snapshot, changed = s.settle(ctx, next)
		start := time.Now()
		s.publishAll(ctx, snapshot, changed, published)
		next = time.Now().Add(min(time.Since(start), longestWait))
	}
}

// settle waits until the time `until`, or until `ctx` ends. It returns the snapshot of that moment, and a channel that is
// closed at the next change, so that the caller misses no change.
func (s *Server) settle(ctx context.Context, until time.Time) (documents.Snapshot, <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(until)):
	}
	select {
	// The next diagnostics are about the current state anyway, so this signal is dropped.
	case <-s.stale:
	default:
	}
	return s.docs.Watch()
}

// A publication describes the diagnostics that were last published for a document: the version of the document, the
// time, and the text of the code lenses. If this text changes, the editor must fetch the lenses again.
type publication struct {
	doc  *documents.Document
	at   time.Time
	text string
}

// publishAll publishes diagnostics for every reply, and clears the diagnostics of closed documents. Replies whose text
// is new come first, because a person is typing in them. After them, at least one other reply is published. If
// something changes in the meantime, the remaining replies wait for the next round.
func (s *Server) publishAll(ctx context.Context, snapshot documents.Snapshot, changed <-chan struct{}, published map[uri.URI]publication) {
	moved, again := false, 0
	for _, doc := range inTurn(snapshot, published) {
		before := published[doc.URI]
		if before.doc == doc {
			if again > 0 && isClosed(changed) {
				break
			}
			again++
		}
		var text string
		err := s.conn.Guard("diagnostics", func() (err error) {
			text, err = s.publish(ctx, snapshot, doc)
			return err
		})
		if err != nil {
			s.conn.Log().Error("check failed", zap.String("uri", string(doc.URI)), zap.Error(err))
			text = before.text
		}
		moved = moved || text != before.text
		published[doc.URI] = publication{doc, time.Now(), text}
	}
	s.results.keep(snapshot)
	for u := range published {
		if doc := snapshot.Get(u); doc == nil || doc.About.Dismissed.Load() {
			delete(published, u)
			s.notify(s.editor.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: []protocol.Diagnostic{}}))
		}
	}
	if moved {
		s.refreshLenses(ctx)
	}
}

// inTurn returns the replies in the order in which they are published. Replies whose text is new come first. The other
// replies follow, beginning with the least recently published.
func inTurn(snapshot documents.Snapshot, published map[uri.URI]publication) []*documents.Document {
	var docs []*documents.Document
	for _, doc := range snapshot.All() {
		if replies.MayHold(doc) {
			docs = append(docs, doc)
		}
	}
	since := func(doc *documents.Document) time.Time {
		if before := published[doc.URI]; before.doc == doc {
			return before.at
		}
		return time.Time{}
	}
	slices.SortFunc(docs, func(a, b *documents.Document) int { return since(a).Compare(since(b)) })
	return docs
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// publish sends a document's diagnostics and status. It returns the text of all code lenses, or "" if there are none.
func (s *Server) publish(ctx context.Context, snapshot documents.Snapshot, doc *documents.Document) (string, error) {
	c, err := s.current(ctx, snapshot, doc)
	if err != nil {
		return "", err
	}
	shown := []protocol.Diagnostic{} // not null: an empty list clears earlier diagnostics, but null does not
	if s.underlines(c) {
		shown = append(shown, c.Problems()...)
	}
	if s.dims() {
		shown = append(shown, c.Dimmed()...)
	}
	s.notify(s.editor.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{
		URI: doc.URI, Version: protocol.NewOptional(doc.Version), Diagnostics: shown,
	}))
	s.notify(s.editor.Status(ctx, c.Status(ctx)))
	return c.LensText(), nil
}

// dims reports whether the editor dims text that a diagnostic marks as unnecessary.
func (s *Server) dims() bool {
	can := s.editor.Capabilities().TextDocument
	return can != nil && can.PublishDiagnostics != nil && slices.Contains(can.PublishDiagnostics.TagSupport.ValueSet, protocol.DiagnosticTagUnnecessary)
}

func (s *Server) notify(err error) {
	if err != nil {
		s.conn.Log().Debug("a notification could not be sent", zap.Error(err))
	}
}
