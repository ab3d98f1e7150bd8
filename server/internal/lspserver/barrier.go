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

// An editor may report the effects of an edit on its documents after it answered the edit,
// seconds or minutes later on a busy machine. They are therefore judged only after a
// barrier: a request whose answer comes after everything that the editor sent before. An
// editor that answers aptix/documents says itself which texts it holds. Any other editor
// may still hold changes back when it answers, as Neovim does for 150 ms while a person
// types. It gets some time, followed by a second barrier, so that a suspended editor is
// waited for and never judged.

const (
	// patience is the longest time for which an editor may hold changes back that it could
	// report. It begins with the answer to a barrier, and again with each change that
	// arrives.
	patience = 20 * time.Second
	// refusalPatience is the shortest such time after an edit that the editor refused.
	refusalPatience = time.Second
	// looksAgain is the interval at which files are examined in the meantime, because
	// saving need not be reported.
	looksAgain = time.Second
)

// holdsBack returns the longest time for which an editor may hold changes back after its
// answer to a barrier.
func holdsBack(time.Duration) time.Duration { return patience }

// holdsBackRefused returns a shorter time if the editor answered quickly, because few
// refusals leave a part behind.
func holdsBackRefused(took time.Duration) time.Duration {
	return min(refusalPatience+2*took, patience)
}

// await calls look until it has found all expected effects of an edit on the documents of
// uris, or the effects are known. look returns the number of effects that it found, and
// whether these are all. The editor must have answered the edit. ctx ends the wait.
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

// lookAgain calls look until everything has arrived, or nothing more has arrived within
// wait. look returns how much has arrived, whether that is all, and a channel that is
// closed when there may be more.
func lookAgain(ctx context.Context, wait time.Duration, look func() (n int, all bool, changed <-chan struct{})) (most int, all bool) {
	over := time.NewTimer(wait)
	defer over.Stop()
	tick := time.NewTicker(looksAgain)
	defer tick.Stop()
	for {
		n, all, changed := look()
		if n > most {
			most = n
			over.Reset(wait) // more is arriving
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

// barrier sends a request without an effect, waits for the answer, and returns the time
// that it took. If the editor supports it, the request asks for settings. Otherwise the
// answer is LSP's error for an unknown method.
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

// caughtUp waits until the server's documents equal those that the editor says it holds. It
// returns false if the editor does not answer.
func (s *Server) caughtUp(ctx context.Context, uris []uri.URI) bool {
	for {
		_, changed := s.docs.watch() // before the request: later changes may be missing in the answer
		held, err := s.client.Documents(ctx, uris)
		if err != nil {
			s.conn.Log().Warn("the editor does not report its text", zap.Error(err))
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

// are reports whether the server has the documents of uris as the editor holds them, and no
// others. If one has another text in the same version, it is broken.
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
			broken.Broken = "the text in the editor differs from the one known here"
			d.put(&broken)
		}
	}
	return true
}

// textHash returns the hash of a text as in [aptix.OpenDocument].
func textHash(s string) string {
	sum := sha256.Sum256([]byte(text.WithEOL(s, text.LF)))
	return hex.EncodeToString(sum[:])
}

// Documents asks the editor for the state of documents.
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
