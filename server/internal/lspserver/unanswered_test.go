package lspserver_test

import (
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// An apply can be cancelled while the editor does not answer. Its record is finished when the editor
// answers. Until then, nothing else is applied.
func TestCancelUnansweredEdit(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	c := serve(t, tree, nil)
	c.Editor.Behave(lsptest.Behavior{Before: func(*lsptest.Editor) { close(arrived); <-release }})
	openReply(c, reply)
	pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
	await(t, arrived)
	pending.Cancel()
	wantCode(t, pending.Wait(nil), requestCancelled)
	c.Editor.Behave(lsptest.Behavior{})
	if r := apply(t, c, nil); r.Applied || !strings.Contains(r.Message, "the editor has not reported the result of a cancelled change") {
		t.Errorf("meanwhile: %+v", r)
	}
	close(release)
	awaitHistory(c, 1)  // perhaps only the record of the open change, on a slow machine
	for i := 0; ; i++ { // the cancelled change takes a moment to end
		r := apply(t, c, nil)
		if r.Verified && !r.Applied {
			break
		}
		if r.Applied || i == 1000 {
			t.Fatalf("again: %+v", r)
		}
	}
	shows(t, c, done)
	if got := entries(t, c); len(got) != 1 || len(got[0].Files) != 4 {
		t.Errorf("the history has %+v", got)
	}
}

// If an apply is cancelled while its question is open, the question is withdrawn.
func TestCancelUnansweredQuestion(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Choose = func(*lsp.ShowMessageRequestParams) string { close(arrived); <-release; return "" }
	})
	openReply(c, bundle(patch("a.txt", "wo", "wice")))
	pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
	await(t, arrived)
	pending.Cancel()
	wantCode(t, pending.Wait(nil), requestCancelled)
}

// The editor makes a part of an edit and then refuses it, while the person types into a file of that part. The message
// names the files that still have the edit.
func TestTypedIntoHalfAnEdit(t *testing.T) {
	for stop := 2; stop <= 5; stop++ {
		c := serve(t, tree, nil)
		for _, path := range []string{"a.txt", "b.txt"} {
			c.Editor.Open(path, "plaintext")
		}
		var typed []string
		r := applyOnce(t, c, lsptest.Behavior{StopBefore: stop, Meanwhile: func(e *lsptest.Editor) {
			for path, text := range map[string]string{"a.txt": done["a.txt"], "b.txt": done["b.txt"]} {
				if now, _ := e.Text(path); now == text {
					e.Type(path, lsp.TextEdit{NewText: "mine "})
					typed = append(typed, path)
				}
			}
		}})
		slices.Sort(typed)
		if r.Applied || strings.Join(r.Left, " ") != strings.Join(typed, " ") {
			t.Errorf("stopped before %d, typed into %v: %+v", stop, typed, r)
		}
		for _, path := range typed {
			if !strings.Contains(r.Message, path) {
				t.Errorf("stopped before %d: %s is not in %q", stop, path, r.Message)
			}
			shows(t, c, map[string]string{path: "mine " + done[path]})
		}
	}
}

// The person typed into the only file that the editor changed.
func TestTypedIntoOnlyEdit(t *testing.T) {
	c := serve(t, tree, nil)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Behave(lsptest.Behavior{Meanwhile: func(e *lsptest.Editor) { e.Type("a.txt", lsp.TextEdit{NewText: "mine "}) }, StopBefore: 2})
	openReply(c, bundle(patch("a.txt", "two", "2"), patch("b.txt", "b", "B")))
	r := apply(t, c, nil)
	if r.Applied || strings.Join(r.Left, " ") != "a.txt" || !strings.Contains(r.Message, "a.txt") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "mine " + done["a.txt"], "b.txt": "b\n"})
}
