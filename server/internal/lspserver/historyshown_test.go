package lspserver_test

import (
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
)

// If a file changes, on disk or in a document, the state of its entry changes, and the editor
// is notified.
func TestEntryFollowsFiles(t *testing.T) {
	c := serve(t, map[string]string{"in/a.txt": "one\n", "b.txt": "one\n"}, nil)
	openReply(c, bundle(replace("in/a.txt", "two\n"), replace("b.txt", "two\n")))
	apply(t, c, nil)
	c.Editor.SaveAll()
	is := func(want protocol.EntryState) {
		t.Helper()
		if got := entries(t, c); len(got) != 1 || got[0].State != want {
			t.Fatalf("got %+v, want %q", got, want)
		}
	}
	notified := func(change func()) {
		t.Helper()
		before := len(c.Received(protocol.MethodHistoryChanged))
		change()
		awaitHistory(c, before+1)
	}
	awaitHistory(c, 1)
	is(protocol.EntryInForce)
	whole := lsp.Range{End: lsp.Position{Line: 1}}
	notified(func() { c.Editor.Type("in/a.txt", lsp.TextEdit{Range: whole, NewText: "one\n"}) })
	is(protocol.EntryChanged)
	notified(func() { c.Editor.Type("b.txt", lsp.TextEdit{Range: whole, NewText: "one\n"}) })
	is(protocol.EntryUndone)

	// After a checkout, the editor reports a folder instead of files.
	c.Editor.SaveAll()
	c.Editor.Close("in/a.txt")
	c.Editor.WriteDisk("in/a.txt", "two\n")
	folder := []lsp.FileEvent{{URI: c.Editor.URI("in"), Type: lsp.FileChangeTypeChanged}}
	notified(func() {
		c.Notify(lsp.MethodWorkspaceDidChangeWatchedFiles, &lsp.DidChangeWatchedFilesParams{Changes: folder})
	})
	is(protocol.EntryChanged)
}

// A change that affects no state of an entry causes no notification, however long a person types.
func TestTypingElsewhereIsNoNews(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n")))
	apply(t, c, nil)
	awaitHistory(c, 1)
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "typed\n"})
	if got := entries(t, c); got[0].State != protocol.EntryChanged {
		t.Fatalf("got %+v", got)
	}
	before := len(c.Received(protocol.MethodHistoryChanged))
	c.Editor.Open("b.txt", "plaintext")
	for range 5 {
		c.Editor.Type("a.txt", lsp.TextEdit{NewText: "more\n"})
		c.Editor.Type("b.txt", lsp.TextEdit{NewText: "more\n"})
	}
	// Undoing everything causes a notification. Its arrival proves that the server has looked at all earlier changes.
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 7}}, NewText: "two\n"})
	awaitHistory(c, before+1)
	if n := len(c.Received(protocol.MethodHistoryChanged)) - before; n != 1 {
		t.Errorf("%d notifications", n)
	}
}

// One entry can be requested without the others.
func TestOneEntry(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n")))
	entry := func(id string) []protocol.HistoryEntry {
		t.Helper()
		var h protocol.History
		c.MustCall(protocol.MethodHistoryEntry, &protocol.HistoryEntryParams{ID: id}, &h)
		return h.Entries
	}
	if got := entry(""); len(got) != 0 {
		t.Errorf("at first: %+v", got)
	}
	applied := apply(t, c, nil)
	for _, id := range []string{"", applied.ID} {
		if got := entry(id); len(got) != 1 || got[0].ID != applied.ID || got[0].State != protocol.EntryInForce {
			t.Errorf("%q: %+v", id, got)
		}
	}
	revert(t, c, protocol.RevertParams{})
	if got := entry(""); len(got) != 0 {
		t.Errorf("after the revert: %+v", got)
	}
	if got := entry("0000"); len(got) != 0 {
		t.Errorf("of no apply: %+v", got)
	}
}
