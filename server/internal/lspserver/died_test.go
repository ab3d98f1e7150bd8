package lspserver_test

import (
	"os"
	"path/filepath"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

var mixedReply = diffBlock(editPatch, linkPatch, renamePatch, binaryPatch)

// dieDuringEdit applies mixedReply and kills the server when the editor is asked for its
// part, either before or after the editor makes that part. The next server starts with the
// same documents.
func dieDuringEdit(t *testing.T, after bool) *lsptest.Client {
	t.Helper()
	return endDuringEdit(t, after, func(_ *lsptest.Client, server process) { server.kill() })
}

// endDuringEdit is dieDuringEdit for a server that ends in a different way.
func endDuringEdit(t *testing.T, after bool, end func(*lsptest.Client, process)) *lsptest.Client {
	t.Helper()
	needs.Links(t)
	dir, state := t.TempDir(), t.TempDir()
	c, server := startProcess(t, dir, state)
	for path, content := range patchedTree {
		c.Editor.WriteDisk(path, content)
	}
	c.Initialize()
	c.Editor.Open("a.txt", "plaintext")
	openReply(c, mixedReply)
	die := func(e *lsptest.Editor) {
		if got, err := os.Readlink(filepath.Join(e.Dir, "second")); err != nil || got != "a.txt" {
			t.Errorf("the server's part is not made: %q, %v", got, err)
		}
		c.Dies()
		end(c, server)
	}
	if after {
		c.Editor.Behave(lsptest.Behavior{Meanwhile: die})
	} else {
		c.Editor.Behave(lsptest.Behavior{Before: die, Refuse: true})
	}
	_ = c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll()).Wait(nil)
	c.ExitCode()
	next, _ := startProcess(t, dir, state)
	next.Initialize()
	for _, path := range []string{"a.txt", "new/name.txt"} {
		if text, _ := c.Editor.Text(path); c.Editor.Dirty(path) {
			next.Editor.OpenText(path, "plaintext", text)
		}
	}
	return next
}

// If a server dies after its own part and before the editor's, the old tree is restored.
func TestServerDiesBeforeTheEdit(t *testing.T) {
	c := dieDuringEdit(t, false)
	if got := entries(t, c); len(got) != 0 {
		t.Errorf("the history has %+v", got)
	}
	diskHas(t, c, patchedTree, nil)
	openReply(c, mixedReply)
	if r := apply(t, c, nil); !r.Applied || len(r.Left) > 0 {
		t.Errorf("again: %+v", r)
	}
}

// If a server dies after the editor has made its part, the server's part is taken back nevertheless. The history has
// the apply, so the person can revert the editor's part or apply the reply again.
func TestServerDiesAfterTheEdit(t *testing.T) {
	c := dieDuringEdit(t, true)
	if _, err := os.Lstat(filepath.Join(c.Editor.Dir, "second")); err == nil {
		t.Error("the server's part is still there")
	}
	if got := entries(t, c); len(got) != 1 {
		t.Fatalf("the history has %+v", got)
	}
	if r := revert(t, c, protocol.RevertParams{}); !r.Applied {
		t.Errorf("reverted: %+v", r)
	}
	diskHas(t, c, patchedTree, nil)
}

// If an editor makes its part but ends before it answers, the server's part is taken back, and the
// history has the apply.
func TestEditorDiesAfterTheEdit(t *testing.T) {
	c := endDuringEdit(t, true, func(c *lsptest.Client, _ process) { c.HangUp() })
	if _, err := os.Lstat(filepath.Join(c.Editor.Dir, "second")); err == nil {
		t.Error("the server's part is still there")
	}
	if got := entries(t, c); len(got) != 1 {
		t.Fatalf("the history has %+v", got)
	}
}

// If the editor has made its part, but the change cannot be completed on disk, both parts are taken back.
func TestJournalIsLostDuringTheEdit(t *testing.T) {
	needs.Links(t)
	state := t.TempDir()
	c, _ := startProcess(t, t.TempDir(), state)
	for path, content := range patchedTree {
		c.Editor.WriteDisk(path, content)
	}
	c.Initialize()
	openReply(c, mixedReply)
	c.Editor.Behave(lsptest.Behavior{Meanwhile: func(e *lsptest.Editor) {
		journals, _ := filepath.Glob(filepath.Join(state, "transactions", "*.json"))
		if len(journals) != 1 || os.Remove(journals[0]) != nil {
			t.Errorf("the journals are %v", journals)
		}
		e.Behave(lsptest.Behavior{})
	}})
	r := apply(t, c, nil)
	if r.Applied || !r.RolledBack || len(r.Left) > 0 {
		t.Errorf("got %+v", r)
	}
	diskHas(t, c, patchedTree, nil)
	if got := entries(t, c); len(got) != 0 {
		t.Errorf("the history has %+v", got)
	}
}
