package lspserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An editor may report what an edit did to its documents after it answered the edit, seconds or minutes later on a busy
// machine. So what it did is judged only after a barrier: a request whose answer comes after everything that the editor
// sent before. One that answers aptix/documents says itself what it holds. Any other one may still hold changes back when
// it answers, as Neovim does for 150 ms while a person types: it gets some time, and then a second barrier, so that an
// editor that is stopped is waited for and never judged.

const (
	// patience is how long an editor may hold changes back that it could report. It begins with the answer to a barrier,
	// and again with each change that comes.
	patience = 20 * time.Second
	// refusalPatience is the least of it after an edit that the editor refused.
	refusalPatience = time.Second
	// looksAgain is how often files are looked at meanwhile: that one was saved need not be reported.
	looksAgain = time.Second
)

// holdsBack is how long an editor may hold changes back if it took so long for a barrier.
func holdsBack(time.Duration) time.Duration { return patience }

// holdsBackRefused is less for an editor that answers quickly: few refusals leave a part behind.
func holdsBackRefused(took time.Duration) time.Duration {
	return min(refusalPatience+2*took, patience)
}

// await looks until look has found all that an edit was to do to the documents of uris, or what the editor did is known. look
// returns how much it found, and whether that is all. The editor has answered the edit. ctx ends the wait.
func (s *Server) await(ctx context.Context, uris []uri.URI, hold func(took time.Duration) time.Duration, look func(Snapshot) (n int, all bool)) {
	n, all := look(s.docs.Snapshot())
	for most := -1; !all && n > most && ctx.Err() == nil; {
		if s.tellsDocuments() && s.caughtUp(ctx, uris) {
			look(s.docs.Snapshot())
			return
		}
		most, all = lookAgain(ctx, hold(s.barrier(ctx)), func() (int, bool, <-chan struct{}) {
			snapshot, changed := s.docs.watch()
			n, all := look(snapshot)
			return n, all, changed
		})
		if !all {
			s.barrier(ctx)
			n, all = look(s.docs.Snapshot())
		}
	}
}

// lookAgain looks until all is there, or until no more has come for the time of wait. look returns how
// much there is, whether that is all, and what closes when it may be more.
func lookAgain(ctx context.Context, wait time.Duration, look func() (n int, all bool, changed <-chan struct{})) (most int, all bool) {
	over := time.NewTimer(wait)
	defer over.Stop()
	tick := time.NewTicker(looksAgain)
	defer tick.Stop()
	for {
		n, all, changed := look()
		if n > most {
			most = n
			over.Reset(wait) // more are coming
		}
		if all {
			return most, true
		}
		select {
		case <-changed:
		case <-tick.C:
		case <-over.C:
			return most, false
		case <-ctx.Done():
			return most, false
		}
	}
}

// barrier waits until the editor answers a request that asks for nothing, and returns how long that took. Settings are asked
// for where the editor has told them before. Elsewhere the answer is the error that LSP has for an unknown method.
func (s *Server) barrier(ctx context.Context) time.Duration {
	began := time.Now()
	if can := s.capabilities().Workspace; can != nil && isTrue(can.Configuration) {
		section := "aptix"
		_, _ = s.client.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}})
	} else {
		_, _ = s.client.Documents(ctx, nil)
	}
	return time.Since(began)
}

func (s *Server) tellsDocuments() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options.Documents
}

// caughtUp waits until the documents here are those that the editor says it holds; false where it does not say it.
func (s *Server) caughtUp(ctx context.Context, uris []uri.URI) bool {
	for {
		_, changed := s.docs.watch() // before it is asked: what changes from now on may not be in its answer
		held, err := s.client.Documents(ctx, uris)
		if err != nil {
			s.conn.Log().Warn("the editor does not say what it holds", zap.Error(err))
			return false
		}
		if s.docs.are(uris, held) {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// are reports whether the documents of uris have come here as the editor holds them, and no others. One that has another text in
// the same version is broken.
func (d *Documents) are(uris []uri.URI, held map[uri.URI]aptix.OpenDocument) bool {
	now := d.Snapshot()
	for _, u := range uris {
		doc, there := now.Get(u), held[u]
		switch {
		case doc == nil && there.URI == "":
		case doc == nil || there.URI == "" || doc.Version != there.Version:
			return false
		case doc.Broken == "" && textHash(doc.Text) != there.SHA256:
			broken := *doc
			broken.Broken = "the editor holds another text than the one known here"
			d.put(&broken)
		}
	}
	return true
}

// textHash is that of [aptix.OpenDocument].
func textHash(s string) string {
	sum := sha256.Sum256([]byte(text.WithEOL(s, text.LF)))
	return hex.EncodeToString(sum[:])
}

// Documents asks the editor what it holds of documents.
func (c Client) Documents(ctx context.Context, uris []uri.URI) (map[uri.URI]aptix.OpenDocument, error) {
	p := aptix.DocumentsParams{URIs: []string{}}
	for _, u := range uris {
		p.URIs = append(p.URIs, string(u))
	}
	var r aptix.DocumentsResult
	if err := protocol.Call(ctx, c.conn, aptix.MethodDocuments, p, &r); err != nil {
		return nil, err
	}
	held := map[uri.URI]aptix.OpenDocument{}
	for _, doc := range r.Documents {
		held[uri.URI(doc.URI)] = doc
	}
	return held, nil
}
