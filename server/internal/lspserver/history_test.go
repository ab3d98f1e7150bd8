package lspserver_test

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func entries(t *testing.T, c *lsptest.Client) []protocol.HistoryEntry {
	t.Helper()
	var h protocol.History
	c.MustCall(protocol.MethodHistory, &protocol.HistoryParams{}, &h)
	return h.Entries
}

func revertParams(p protocol.RevertParams) *lsp.ExecuteCommandParams {
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return &lsp.ExecuteCommandParams{Command: protocol.CommandRevert, Arguments: []lsp.LSPAny{raw}}
}

func revert(t *testing.T, c *lsptest.Client, p protocol.RevertParams) protocol.RevertResult {
	t.Helper()
	var r protocol.RevertResult
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, revertParams(p), &r)
	return r
}

func awaitHistory(c *lsptest.Client, times int) {
	lsptest.Await(c, protocol.MethodHistoryChanged, func(*struct{}) bool { return len(c.Received(protocol.MethodHistoryChanged)) >= times })
}

func TestHistoryAndRevert(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) { // a file that a revert creates again is not saved at once
		c.Choose = func(*lsp.ShowMessageRequestParams) string { return "Apply" }
	})
	if got := entries(t, c); len(got) != 0 {
		t.Fatalf("at first: %+v", got)
	}
	openReply(c, reply)
	applied := apply(t, c, nil)
	awaitHistory(c, 1)
	got := entries(t, c)
	if len(got) != 1 || got[0].ID != applied.ID || got[0].Source != "lsp" || got[0].Label != "a.txt and 3 more" || got[0].Reverted || len(got[0].Files) != 4 {
		t.Fatalf("got %+v", got)
	}
	if id, err := uuid.Parse(applied.ID); err != nil || id.Version() != 7 {
		t.Errorf("the id %q is no UUIDv7", applied.ID)
	}
	r := revert(t, c, protocol.RevertParams{})
	if !r.Applied || !r.Verified || r.Reverts != applied.ID || r.ID == "" || len(r.Left) != 0 || len(r.Conflicts) != 0 || r.Message != "Reverted 4 files +3 −3" {
		t.Errorf("got %+v", r)
	}
	shows(t, c, undo)
	awaitHistory(c, 2)
	got = entries(t, c)
	if len(got) != 2 || got[0].ID != r.ID || got[0].Reverts != applied.ID || !got[1].Reverted {
		t.Fatalf("got %+v", got)
	}
	if again := revert(t, c, protocol.RevertParams{ID: applied.ID}); again.Applied || !again.Verified {
		t.Errorf("again: %+v", again)
	}
	if anew := apply(t, c, nil); !anew.Applied {
		t.Errorf("applied anew: %+v", anew)
	}
	shows(t, c, done)
}

// Reverting a revert applies the reply again.
func TestRevertARevert(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	apply(t, c, nil)
	back := revert(t, c, protocol.RevertParams{})
	if r := revert(t, c, protocol.RevertParams{ID: back.ID}); !r.Applied || !r.Verified {
		t.Errorf("got %+v", r)
	}
	shows(t, c, done)
	if r := apply(t, c, nil); r.Applied || !r.Verified {
		t.Errorf("it is done: %+v", r)
	}
	if got := entries(t, c); len(got) != 3 || !got[0].Again || got[1].Again || !got[1].Reverted || got[2].Reverted {
		t.Errorf("history %+v", got)
	}
}

// A person who was asked by the editor is not asked again. With a limit, the history has the latest entries.
func TestRevertAskedElsewhere(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
		c.Choose = func(p *lsp.ShowMessageRequestParams) string {
			if strings.HasPrefix(p.Message, "Revert") {
				t.Errorf("asked %q", p.Message)
			}
			return "Apply"
		}
	})
	openReply(c, reply)
	awaitSettings(c)
	apply(t, c, nil)
	r := revert(t, c, protocol.RevertParams{Asked: true})
	if !r.Applied {
		t.Errorf("got %+v", r)
	}
	var h protocol.History
	c.MustCall(protocol.MethodHistory, &protocol.HistoryParams{Limit: 1}, &h)
	if len(h.Entries) != 1 || h.Entries[0].ID != r.ID {
		t.Errorf("the latest is %+v", h)
	}
}

// The history shows only the open folders.
func TestHistoryOfFolders(t *testing.T) {
	needs.Unlinking(t) // Windows keeps a removed folder while its root is open
	c := serve(t, tree, nil)
	openReply(c, reply)
	apply(t, c, nil)
	awaitHistory(c, 1)
	here := []lsp.WorkspaceFolder{{URI: c.Editor.URI(""), Name: "here"}}
	c.Notify(lsp.MethodWorkspaceDidChangeWorkspaceFolders, &lsp.DidChangeWorkspaceFoldersParams{Event: lsp.WorkspaceFoldersChangeEvent{Removed: here}})
	awaitHistory(c, 2)
	if got := entries(t, c); len(got) != 0 {
		t.Errorf("no folder is open: %+v", got)
	}
	c.Notify(lsp.MethodWorkspaceDidChangeWorkspaceFolders, &lsp.DidChangeWorkspaceFoldersParams{Event: lsp.WorkspaceFoldersChangeEvent{Added: here}})
	awaitHistory(c, 3)
	if got := entries(t, c); len(got) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestRevertOfEditedFile(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	applied := apply(t, c, nil)
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
	r := revert(t, c, protocol.RevertParams{ID: applied.ID[:30]})
	if r.Applied || len(r.Conflicts) != 1 || r.Conflicts[0].Path != "a.txt" || !r.Conflicts[0].Mergeable || !strings.Contains(r.Message, "a.txt: it has been edited since") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "zero\none\n2\nthree\n", "b.txt": done["b.txt"]})

	var shown protocol.PreviewResult
	c.MustCall(protocol.MethodHistoryFiles, &protocol.HistoryFilesParams{ID: applied.ID, Revert: true, Merge: true}, &shown)
	if len(shown.Files) != 4 || shown.Message != "" || !strings.HasPrefix(shown.Title, "Aptix: revert ") {
		t.Errorf("would be %+v", shown)
	}
	if r = revert(t, c, protocol.RevertParams{ID: applied.ID, Merge: true}); !r.Applied || !r.Verified {
		t.Errorf("merged: %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "zero\none\ntwo\nthree\n", "b.txt": undo["b.txt"], "gone.txt": undo["gone.txt"], "dir/new.txt": ""})
}

func TestRevertThatClashes(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	apply(t, c, nil)
	c.Editor.Type("b.txt", lsp.TextEdit{NewText: "mine "})
	r := revert(t, c, protocol.RevertParams{Merge: true})
	if r.Applied || len(r.Conflicts) != 1 || r.Conflicts[0].Mergeable || len(r.Conflicts[0].Clashes) != 1 || r.Conflicts[0].Clashes[0].End.Line != 1 {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"b.txt": "mine B\n", "a.txt": done["a.txt"], "gone.txt": ""})
	if got := entries(t, c); len(got) != 1 || got[0].Reverted {
		t.Errorf("history %+v", got)
	}
}

func TestHistoryFiles(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	applied := apply(t, c, nil)
	var shown protocol.PreviewResult
	c.MustCall(protocol.MethodHistoryFiles, &protocol.HistoryFilesParams{ID: applied.ID}, &shown)
	if len(shown.Files) != 4 {
		t.Fatalf("got %+v", shown)
	}
	for _, f := range shown.Files {
		name := filepath.ToSlash(f.Resource[strings.LastIndex(f.Resource, "/")+1:])
		if name != "a.txt" {
			continue
		}
		for side, want := range map[string]string{f.Left: tree["a.txt"], f.Right: done["a.txt"]} {
			var content protocol.ContentResult
			c.MustCall(protocol.MethodContent, &protocol.ContentParams{URI: side}, &content)
			if content.Text != want {
				t.Errorf("%s is %q", side, content.Text)
			}
		}
	}
	if err := c.Call(protocol.MethodHistoryFiles, &protocol.HistoryFilesParams{ID: "nobody"}, &shown); err == nil {
		t.Error("an id that no entry has is answered")
	}
}

// If the editor refuses a revert, or makes only part of it, the history does not have the
// revert.
func TestRevertFails(t *testing.T) {
	for name, bad := range map[string]lsptest.Behavior{"refuses": {Refuse: true}, "stops half-way": {StopBefore: 3}} {
		c := serve(t, tree, nil)
		openReply(c, reply)
		applied := apply(t, c, nil)
		bad.Once = true
		c.Editor.Behave(bad)
		pending := c.Go(lsp.MethodWorkspaceExecuteCommand, revertParams(protocol.RevertParams{}))
		var r protocol.RevertResult
		if err := pending.Wait(&r); err != nil {
			t.Fatal(err)
		}
		if r.Applied || r.ID != "" || r.RolledBack == bad.Refuse {
			t.Errorf("%s: %+v", name, r)
		}
		shows(t, c, done)
		if got := entries(t, c); len(got) != 1 || got[0].ID != applied.ID || got[0].Reverted {
			t.Errorf("%s: history %+v", name, got)
		}
	}
}

// If a person wants to be asked each time, they are asked, and if they say no, nothing
// changes.
func TestRevertAsks(t *testing.T) {
	answers, asked := []string{"Apply", "Cancel", "Revert"}, []string{}
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
		c.Choose = func(p *lsp.ShowMessageRequestParams) string {
			asked = append(asked, p.Message)
			return answers[len(asked)-1]
		}
	})
	openReply(c, reply)
	awaitSettings(c)
	apply(t, c, nil)
	if r := revert(t, c, protocol.RevertParams{}); r.Applied || !strings.Contains(r.Message, "cancelled") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, done)
	if r := revert(t, c, protocol.RevertParams{}); !r.Applied {
		t.Errorf("got %+v", r)
	}
	shows(t, c, undo)
	if len(asked) != 3 || asked[2] != "Revert 4 files +3 −3?\na.txt, b.txt, gone.txt (create), dir/new.txt (delete)" {
		t.Errorf("asked %q", asked)
	}
}

// A person who agrees to a revert agrees only for the files that the question named.
func TestTypedWhileAskedToRevert(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
		c.Choose = func(p *lsp.ShowMessageRequestParams) string {
			if strings.HasPrefix(p.Message, "Apply") {
				return "Apply"
			}
			c.Editor.Type("a.txt", lsp.TextEdit{NewText: "mine "})
			return "Revert"
		}
	})
	openReply(c, reply)
	awaitSettings(c)
	apply(t, c, nil)
	if r := revert(t, c, protocol.RevertParams{}); r.Applied || len(r.Conflicts) != 1 || !strings.HasPrefix(r.Message, "Not reverted: ") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "mine " + done["a.txt"], "b.txt": done["b.txt"]})
}

// The editor learns about another process's apply, and can revert it.
func TestHistoryOfOthers(t *testing.T) {
	dir := t.TempDir()
	store, err := history.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	c := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: store, StateDir: dir})
	})
	c.Editor.WriteDisk("a.txt", done["a.txt"])
	c.Initialize()
	other, err := history.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := record(t, other, c).Finish(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	awaitHistory(c, 1)
	if r := revert(t, c, protocol.RevertParams{}); !r.Applied {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": undo["a.txt"]})
}

// record begins the record of an apply to a.txt, as another process would.
func record(t *testing.T, store *history.Store, c *lsptest.Client) *history.Pending {
	t.Helper()
	path, err := filepath.EvalSymlinks(filepath.Join(c.Editor.Dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	is := func(data string) text.Content { return text.Content{Exists: true, Data: data, Mode: 0o644} }
	p, err := store.Begin(context.Background(), history.Apply{ID: uuid.Must(uuid.NewV7()).String(), Time: time.Now(), Root: filepath.Dir(path),
		Key: "k", Source: "lsp", Files: []history.File{{Path: "a.txt", Before: is(tree["a.txt"]), After: is(done["a.txt"])}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A server died and left an apply whose record is not finished. The editor outlived the server, so its text, saved or
// not, shows whether the apply was made.
func TestServerDied(t *testing.T) {
	for _, made := range []bool{true, false} {
		history, err := history.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = history.Close() })
		state := t.TempDir()
		c := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
			return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: state})
		})
		c.Editor.WriteDisk("a.txt", tree["a.txt"])
		record(t, history, c).Leave()
		c.Initialize()
		c.Editor.Open("a.txt", "plaintext")
		if made {
			c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{Start: lsp.Position{Line: 1}, End: lsp.Position{Line: 2}}, NewText: "2\n"})
		}
		if got := entries(t, c); (len(got) == 1) != made {
			t.Errorf("made: %v, and the history is %+v", made, got)
		}
	}
}
