package lspserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// slowEditors returns functions that configure editors. One kind of editor answers aptix/documents, as VS Code does.
// The other kinds speak only LSP, with or without settings.
func slowEditors(slow time.Duration) map[string]func(*lsptest.Client) {
	return map[string]func(*lsptest.Client){
		"documents": func(c *lsptest.Client) {
			saysWhatItHolds(c)
			c.Slow = slow
		},
		"says so and does not": func(c *lsptest.Client) {
			c.Slow, c.Options = slow, map[string]any{"opensTouched": true, "documents": true}
		},
		"plain": func(c *lsptest.Client) { c.Slow, c.Options = slow, map[string]any{"opensTouched": true} },
		"without settings": func(c *lsptest.Client) {
			c.Slow, c.Options = slow, map[string]any{"opensTouched": true}
			c.Capabilities.Workspace.Configuration = nil
		},
	}
}

func inEachSlowEditor(t *testing.T, f func(t *testing.T, set func(*lsptest.Client))) {
	t.Helper()
	for name := range slowEditors(0) {
		t.Run(name, func(t *testing.T) {
			lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) { f(t, slowEditors(slow)[name]) })
		})
	}
}

// A change has the same result in a slow editor as in a quick one.
func TestSlowEditor(t *testing.T) {
	for name, b := range map[string]lsptest.Behavior{
		"told after the answer": {}, "told before it": {Tell: lsptest.TellBefore}, "answers twice": {Twice: true},
		"refuses": {Refuse: true}, "stops": {StopBefore: 3}, "leaves a text out": {Skip: 4}, "leaves an operation out": {Skip: 2},
	} {
		t.Run(name, func(t *testing.T) {
			inEachSlowEditor(t, func(t *testing.T, set func(*lsptest.Client)) {
				c := serveSlowly(t, tree, set)
				r := applyOnce(t, c, b)
				good := !b.Refuse && b.StopBefore+b.Skip == 0
				if r.Applied != good || r.Verified != good || r.RolledBack != (!good && !b.Refuse) || len(r.Left) > 0 {
					t.Errorf("got %+v", r)
				}
				if good {
					shows(t, c, done)
				} else {
					shows(t, c, undo)
				}
			})
		})
	}
}

func TestSlowEditorWithManyDocuments(t *testing.T) {
	files, want := map[string]string{}, map[string]string{}
	var entries []string
	many := 500
	if trials.Few() {
		many = 100
	}
	for i := range many {
		path := fmt.Sprintf("dir%d/%d.txt", i%7, i)
		files[path], want[path] = "one\ntwo\n", "one\n2\n"
		entries = append(entries, patch(path, "two", "2"))
	}
	inEachSlowEditor(t, func(t *testing.T, set func(*lsptest.Client)) {
		c := serveSlowly(t, files, set)
		openReply(c, bundle(entries...))
		if r := apply(t, c, nil); !r.Applied || !r.Verified || len(r.Files) != many {
			t.Errorf("got applied %v, verified %v: %s", r.Applied, r.Verified, r.Message)
		}
		shows(t, c, want)
	})
}

// The server waits until an editor has reported its documents, even if that takes minutes. If an editor does not answer
// aptix/documents, the server sends it an edit that changes nothing. If the editor refuses the edit, its documents have
// other versions than the server's.
func TestWaitForTheEditor(t *testing.T) {
	for name, set := range slowEditors(0) {
		t.Run(name, func(t *testing.T) {
			lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) { waitForTheEditor(t, slow, set) })
		})
	}
}

func waitForTheEditor(t *testing.T, slow time.Duration, set func(*lsptest.Client)) {
	c := serveSlowly(t, tree, set)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Behave(lsptest.Behavior{Tell: lsptest.TellRelease})
	openReply(c, reply)
	pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
	lsptest.Await(c, lsp.MethodProgress, func(p *lsp.ProgressParams) bool {
		return strings.Contains(string(p.Value), "waiting for the editor") && strings.Contains(string(p.Value), `"cancellable":true`)
	})
	time.Sleep(12 * slow)
	c.Editor.Release()
	var r protocol.ApplyResult
	if err := pending.Wait(&r); err != nil || !r.Applied || !r.Verified {
		t.Errorf("got %+v, %v", r, err)
	}
	shows(t, c, done)
}

// The button ends the wait, but does not decide whether the edit was made.
func TestGiveUpWaiting(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) {
		c := serveSlowly(t, tree, slowEditors(0)["documents"])
		c.Editor.Behave(lsptest.Behavior{Tell: lsptest.TellRelease})
		openReply(c, reply)
		pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
		shown := lsptest.Await(c, lsp.MethodProgress, func(p *lsp.ProgressParams) bool {
			return strings.Contains(string(p.Value), "waiting for the editor")
		})
		c.Notify(lsp.MethodWindowWorkDoneProgressCancel, &lsp.WorkDoneProgressCancelParams{Token: shown.Token})
		var r protocol.ApplyResult
		if err := pending.Wait(&r); err != nil || r.Applied || r.Verified || r.RolledBack || !strings.Contains(r.Message, "no longer waits for the editor") {
			t.Errorf("got %+v, %v", r, err)
		}
		shows(t, c, done)
		if r := apply(t, c, nil); r.Applied || !strings.Contains(r.Message, "the editor has not reported") {
			t.Errorf("meanwhile: %+v", r)
		}
		c.Editor.Release()
		awaitHistory(c, 1)
		time.Sleep(slow)
		if r := apply(t, c, nil); r.Applied || !r.Verified {
			t.Errorf("again: %+v", r)
		}
	})
}

// The server waits for the repairs of a reply in the same way as for edits of files.
func TestSlowEditorFixes(t *testing.T) {
	inEachSlowEditor(t, func(t *testing.T, set func(*lsptest.Client)) {
		c := serveSlowly(t, nil, set)
		openReply(c, backslashed)
		var r protocol.ApplyResult
		if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, Fix: true}, &r); err != nil || !r.Applied || !r.Verified {
			t.Errorf("got %+v, %v", r, err)
		}
		shows(t, c, map[string]string{"dir/a.txt": "a\n"})
	})
}

// If the settings demand a question, the person is asked, even if the settings arrive late.
func TestSlowSettingsAsk(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) {
		asked := false
		c := serveSlowly(t, tree, func(c *lsptest.Client) {
			c.Slow = slow
			c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
			c.Choose = func(*lsp.ShowMessageRequestParams) string { asked = true; return "Cancel" }
		})
		openReply(c, reply)
		if r := apply(t, c, nil); r.Applied || !asked {
			t.Errorf("asked %v, got %+v", asked, r)
		}
		shows(t, c, undo)
	})
}

// If the server's text of a document differs from the editor's, the server does not use it as
// the text of the file.
func TestEditorHoldsAnotherText(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) {
		c := serveSlowly(t, tree, func(c *lsptest.Client) {
			c.Slow, c.Options = slow, map[string]any{"opensTouched": true, "documents": true}
			c.Handle = func(string, json.RawMessage) (any, error) {
				answer := protocol.DocumentsResult{Documents: []protocol.OpenDocument{{URI: string(c.Editor.URI("a.txt")), Version: 2, SHA256: "0"}}}
				raw, err := json.Marshal(answer)
				return json.RawMessage(raw), err
			}
		})
		openReply(c, bundle(patch("a.txt", "two", "2")))
		if r := apply(t, c, nil); !r.Applied || r.Verified || strings.Join(r.Left, " ") != "a.txt" {
			t.Errorf("got %+v", r)
		}
		c.Editor.OpenText("untitled:next", "markdown", bundle(patch("a.txt", "one", "1")))
		if r := applyIn(t, c, "untitled:next", nil); r.Applied || !strings.Contains(r.Message, "lost track of a.txt") {
			t.Errorf("again: %+v", r)
		}
	})
}
