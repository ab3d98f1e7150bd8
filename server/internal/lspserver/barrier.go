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

// On a busy machine, an editor may report what an edit did to its documents seconds or
// minutes after it answered the edit. The server therefore judges the effects only after a
// barrier: a request whose answer comes after everything that the editor sent before. An
// editor that answers aptix/documents says itself which texts it holds. Any other editor may
// still hold changes back when it answers, as Neovim does for 150 ms while a person types.
// The server gives it some time and then sends a second barrier, so that an editor whose
// process is suspended is waited for and never judged.

const (
	// patience is the longest time that the server waits for changes that an editor may hold
	// back. It begins with the answer to a barrier, and begins again with each change that
	// arrives.
	patience = 20 * time.Second
	// refusalPatience is the shortest such wait after an edit that the editor refused.
	refusalPatience = time.Second
	// looksAgain is the interval at which the server looks at files during that wait, because
	// editors need not report that they saved a file.
	looksAgain = time.Second
)

// holdsBack returns how long an editor may hold changes back after it answered a barrier.
func holdsBack(time.Duration) time.Duration { return patience }

// holdsBackRefused returns the same for an edit that the editor refused. The time is shorter
// if the editor answered quickly, because few refusals leave part of an edit behind.
func holdsBackRefused(took time.Duration) time.Duration {
	return min(refusalPatience+2*took, patience)
}

// await waits for the effects of an edit on the documents of uris. It calls look until look
// has found all expected effects, or until no more can come. look returns the number of
// effects that it found, and whether these are all. The editor must have answered the edit.
// ctx ends the wait.
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

// lookAgain calls look until everything has arrived, or until nothing more has arrived for
// the time wait. look returns how much has arrived, whether that is everything, and a channel
// that is closed when more may have arrived.
func lookAgain(ctx context.Context, wait time.Duration, look func() (n int, all bool, changed <-chan struct{})) (most int, all bool) {
	over := time.NewTimer(wait)
	defer over.Stop()
	tick := time.NewTicker(looksAgain)
	defer tick.Stop()
	for {
		n, all, changed := look()
		if n > most {
			most = n
			over.Reset(wait) // something new has arrived
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

// barrier sends a request that has no effect, waits for the answer, and returns the time that
// it took. The request asks for settings if the editor supports that. Otherwise the editor
// answers with LSP's error for an unknown method.
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
		_, changed := s.docs.watch() // taken before the request, because the answer may lack later changes
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

// are reports whether the server has exactly the documents among uris that the editor holds.
// A document whose version is the same but whose text differs becomes broken.
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
