package editor

import (
	"context"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

// After an edit, the server does not look for its effects immediately. It first sends a barrier: a request to which the
// editor responds after everything that it sent before. Some editors, such as Neovim, hold changes back while a person
// types, and may respond to the barrier first. If effects are missing after some time, and the editor does not respond
// to aptix/documents, the server therefore sends an edit that changes nothing. This edit names the versions that the
// editor has reported. An editor that refuses it has other versions, and the server waits for these. The length of the
// wait never decides whether an edit was made.

const (
	// patience is how long an editor may report nothing. Then the server finds out whether the editor holds changes
	// back.
	patience = 20 * time.Second
	// refusalPatience is how long the server waits after an editor refused an edit, because a few editors make a part
	// of an edit and then refuse it. The server sends nothing to the editor during that time, because the editor may
	// then refuse everything.
	refusalPatience = time.Second
	// looksAgain is the interval at which the waiting server looks at files. Editors need not report that they saved a
	// file.
	looksAgain = time.Second
)

// Await calls `look` until all expected effects of an edit have reached the documents of `uris`, or until it is certain
// that no more effects will arrive. `look` returns the number of effects that have arrived, and whether these are all.
// Await must be called only after the editor has responded to the edit, with the result `applied`. It returns early if
// `ctx` ends.
func (e *Editor) Await(ctx context.Context, uris []uri.URI, applied bool, look func(documents.Snapshot) (n int, all bool)) {
	wait := refusalPatience
	if applied {
		wait = patience
	}
	for _, all := look(e.docs.Snapshot()); !all && ctx.Err() == nil; {
		if e.Options().Documents && e.caughtUp(ctx, uris) {
			look(e.docs.Snapshot())
			return
		}
		e.barrier(ctx)
		var most int
		most, all = lookAgain(ctx, wait, func() (int, bool, <-chan struct{}) {
			snapshot, changed := e.docs.Watch()
			n, all := look(snapshot)
			return n, all, changed
		})
		if all {
			return
		}
		asked := e.docs.Snapshot()
		holdsBack := applied && e.hasOtherVersions(ctx, asked, uris)
		e.barrier(ctx)
		var n int
		if n, all = look(e.docs.Snapshot()); !holdsBack && n <= most {
			return
		}
	}
}

// hasOtherVersions reports whether the editor's versions of documents differ from the versions in a snapshot. It sends
// an edit that changes nothing and names the versions of the snapshot: the editor refuses the edit if it has other
// versions.
func (e *Editor) hasOtherVersions(ctx context.Context, snapshot documents.Snapshot, uris []uri.URI) bool {
	w := lspconv.WorkspaceEdit{Label: "Aptix: check that the editor's text is up to date (changes nothing)"}
	for _, u := range uris {
		if doc := snapshot.Get(u); doc != nil {
			w.Expect(u, doc.Version)
		}
	}
	params, err := w.Params(e.EditCapabilities())
	if err != nil || len(params.Edit.DocumentChanges) == 0 {
		return false
	}
	answer, err := e.ApplyEdit(ctx, params)
	return err == nil && !answer.Applied
}

// lookAgain calls `look` until everything has arrived, or until nothing new has arrived for the time `wait`. `look`
// returns how much has arrived, whether that is all, and a channel that is closed if `look` should be called again.
func lookAgain(ctx context.Context, wait time.Duration, look func() (n int, all bool, changed <-chan struct{})) (most int, all bool) {
	over := time.NewTimer(wait)
	defer over.Stop()
	tick := time.NewTicker(looksAgain)
	defer tick.Stop()
	for {
		n, all, changed := look()
		if n > most {
			most = n
			// An effect has arrived since the last look, so the wait starts again.
			over.Reset(wait)
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

// barrier sends a request that changes nothing, and waits for the response. If the editor can send settings, the
// request is for settings. Otherwise it is for documents: LSP requires an error from an editor that does not implement
// this method.
func (e *Editor) barrier(ctx context.Context) {
	if e.HasConfiguration() {
		_, _ = e.Settings(ctx)
	} else {
		_, _ = e.Documents(ctx, nil)
	}
}

// caughtUp waits until the server has the same documents as the editor reports in aptix/documents. It returns false if
// the editor reports none.
func (e *Editor) caughtUp(ctx context.Context, uris []uri.URI) bool {
	for {
		// The snapshot is taken before the request, because the editor may change documents after its response.
		_, changed := e.docs.Watch()
		held, err := e.Documents(ctx, uris)
		if err != nil {
			e.conn.Log().Warn("the editor does not report its text", zap.Error(err))
			return false
		}
		if e.docs.Equal(uris, held) {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}
