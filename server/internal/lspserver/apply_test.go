package lspserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// The reply changes the files of tree with every operation.
var (
	tree  = map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "gone.txt": "bye\n"}
	reply = bundle(patch("a.txt", "two", "2"), replace("b.txt", "B\n"), remove("gone.txt"), create("dir/new.txt", "new\n"))
	done  = map[string]string{"a.txt": "one\n2\nthree\n", "b.txt": "B\n", "gone.txt": "", "dir/new.txt": "new\n"}
	undo  = map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "gone.txt": "bye\n", "dir/new.txt": ""}
)

func TestApply(t *testing.T) {
	for name, tell := range map[string]lsptest.Tell{"told after the answer": lsptest.TellAfter, "told before it": lsptest.TellBefore} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, tree, nil)
			c.Editor.Behave(lsptest.Behavior{Tell: tell})
			openReply(c, reply)
			r := apply(t, c, nil)
			if !r.Applied || !r.Verified || r.RolledBack || r.ID == "" || len(r.Files) != 4 || len(r.Left) != 0 {
				t.Errorf("got %+v", r)
			}
			if r.Message != "Applied 4 files +3 −3" {
				t.Errorf("message %q", r.Message)
			}
			shows(t, c, done)
			if again := apply(t, c, nil); again.Applied || !again.Verified || again.ID != "" {
				t.Errorf("the second time: %+v", again)
			}
			shows(t, c, done)
		})
	}
}

// The change is one workspace edit that begins with the file operations, because only then does one undo restore
// everything.
func TestApplyIsOneEdit(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	apply(t, c, nil)
	edits := c.Editor.Applied()
	if len(edits) != 1 {
		t.Fatalf("%d edits", len(edits))
	}
	var order []string
	for _, change := range edits[0].Edit.DocumentChanges {
		switch change.(type) {
		case *lsp.CreateFile:
			order = append(order, "create")
		case *lsp.DeleteFile:
			order = append(order, "delete")
		case *lsp.TextDocumentEdit:
			order = append(order, "text")
		}
	}
	if got := strings.Join(order, " "); got != "create delete text text text" {
		t.Errorf("order: %s", got)
	}
	if edits[0].Label == nil || *edits[0].Label != "Aptix: 4 files +3 −3" {
		t.Errorf("label %v", edits[0].Label)
	}
}

// If a document is open, its unsaved text is edited, not the file on disk.
func TestApplyOnUnsavedText(t *testing.T) {
	c := serve(t, tree, nil)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
	openReply(c, reply)
	if r := apply(t, c, nil); !r.Verified {
		t.Fatalf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "zero\none\n2\nthree\n"})
	if onDisk, _ := c.Editor.ReadDisk("a.txt"); onDisk != tree["a.txt"] {
		t.Errorf("the disk has %q", onDisk)
	}
}

func TestEditorRefuses(t *testing.T) {
	c := serve(t, tree, nil)
	c.Editor.Behave(lsptest.Behavior{Refuse: true})
	openReply(c, reply)
	if r := apply(t, c, nil); r.Applied || r.RolledBack || r.ID != "" || !strings.Contains(r.Message, "refused") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, undo)
}

// If an editor fails in the middle of an edit, at any point, nothing of the edit remains.
func TestEditorStopsHalfWay(t *testing.T) {
	for stop := 2; stop <= 5; stop++ {
		c := serve(t, tree, nil)
		r := applyOnce(t, c, lsptest.Behavior{StopBefore: stop})
		if r.Applied || !r.RolledBack || len(r.Left) != 0 {
			t.Errorf("stopped before %d: %+v", stop, r)
		}
		shows(t, c, undo)
	}
}

// applyOnce applies the reply in an editor that treats the first edit as `first` says. The editor makes the second
// edit, which undoes the first one, correctly.
func applyOnce(t *testing.T, c *lsptest.Client, first lsptest.Behavior) protocol.ApplyResult {
	t.Helper()
	first.Once = true
	c.Editor.Behave(first)
	openReply(c, reply)
	pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
	var r protocol.ApplyResult
	if err := pending.Wait(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

func applyAll() *lsp.ExecuteCommandParams {
	return &lsp.ExecuteCommandParams{Command: protocol.CommandApply, Arguments: []lsp.LSPAny{[]byte(`{"uri": "` + replyURI + `", "block": null}`)}}
}

// awaitEdits waits until the editor was asked for n edits.
func awaitEdits(t *testing.T, c *lsptest.Client, n int) {
	t.Helper()
	lsptest.Await(c, lsp.MethodWorkspaceApplyEdit, func(*lsp.ApplyWorkspaceEditParams) bool { return len(c.Editor.Applied()) >= n })
}

// The editor leaves a file out, but says that it applied everything.
func TestEditorLeavesAFileOut(t *testing.T) {
	c := serve(t, tree, saysWhatItHolds)
	r := applyOnce(t, c, lsptest.Behavior{Skip: 4})
	if r.Applied || !r.RolledBack {
		t.Errorf("got %+v", r)
	}
	shows(t, c, undo)
}

// If the editor formats a file when it saves it after the apply, the apply still counts as successful.
func TestFormattedOnSave(t *testing.T) {
	for name, tell := range map[string]lsptest.Tell{"before": lsptest.TellBefore, "after": lsptest.TellAfter} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, tree, nil)
			openReply(c, reply)
			format := func(e *lsptest.Editor) {
				e.Type("a.txt", lsp.TextEdit{NewText: "// formatted\n"})
				e.SaveAll()
			}
			c.Editor.Behave(lsptest.Behavior{Tell: tell, Meanwhile: format})
			r := apply(t, c, nil)
			if !r.Applied || !r.Verified || r.RolledBack || len(r.Left) > 0 {
				t.Errorf("got %+v", r)
			}
			// The server may have looked at the files before the editor reported the
			// formatting.
			if says := strings.HasSuffix(r.Message, "; formatted on save: a.txt"); tell == lsptest.TellBefore && !says {
				t.Errorf("it says %q", r.Message)
			}
			if got, _ := c.Editor.Text("a.txt"); !strings.HasPrefix(got, "// formatted\n") {
				t.Errorf("a.txt is %q", got)
			}
		})
	}
}

// A text that was never as planned does not count as formatted on save.
func TestSavedWithoutTheEdit(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, _ time.Duration) {
		c := serveSlowly(t, tree, nil)
		openReply(c, bundle(patch("a.txt", "one", "1"), patch("b.txt", "b", "c")))
		c.Editor.Behave(lsptest.Behavior{Skip: 1, Meanwhile: func(e *lsptest.Editor) {
			e.Open("a.txt", "plaintext")
			e.Type("a.txt", lsp.TextEdit{NewText: "mine\n"})
			e.SaveAll()
		}})
		if r := apply(t, c, nil); r.Verified || strings.Contains(r.Message, "formatted") {
			t.Errorf("got %+v", r)
		}
	})
}

// Text that is typed before the edit arrives is not overwritten.
func TestSomebodyTypesMeanwhile(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, _ time.Duration) {
		c := serveSlowly(t, tree, nil)
		c.Editor.Open("b.txt", "plaintext")
		c.Editor.Behave(lsptest.Behavior{Once: true, Meanwhile: func(e *lsptest.Editor) { e.Type("b.txt", lsp.TextEdit{NewText: "mine "}) }})
		openReply(c, reply)
		r := apply(t, c, nil)
		// The server may have looked at the file before the person typed.
		if left := strings.Join(r.Left, " "); !r.Applied || r.Verified != (left == "") || (left != "" && left != "b.txt") {
			t.Errorf("got %+v", r)
		}
		shows(t, c, map[string]string{"b.txt": "mine B\n", "a.txt": done["a.txt"]})
	})
}

// If the person types while a question is open, the plan changes, and the change is refused.
func TestTypedWhileAsked(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Choose = func(*lsp.ShowMessageRequestParams) string {
			c.Editor.Type("b.txt", lsp.TextEdit{NewText: "mine "})
			return "Apply"
		}
		c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
	})
	c.Editor.Open("b.txt", "plaintext")
	openReply(c, reply)
	awaitSettings(c)
	if r := apply(t, c, nil); r.Applied {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"b.txt": "mine b\n", "a.txt": undo["a.txt"], "dir/new.txt": ""})
}

func awaitSettings(c *lsptest.Client) {
	lsptest.Await(c, lsp.MethodWorkspaceConfiguration, func(*lsp.ConfigurationParams) bool { return true })
	c.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return true })
}

// If a plan has a doubt, the person is asked first, and the question names the files and the reasons. A warning that
// does not ask causes no question.
func TestDoubtsAsk(t *testing.T) {
	for _, answer := range []string{"Apply", "Cancel", ""} {
		asked := ""
		c := serve(t, tree, func(c *lsptest.Client) {
			c.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = p.Message; return answer }
		})
		openReply(c, bundle(replace("missing.txt", "x\n")))
		if r := apply(t, c, nil); !r.Applied || asked != "" {
			t.Errorf("asked %q, got %+v", asked, r)
		}
		c.Editor.OpenText("untitled:doubt", "markdown", bundle(patch("a.txt", "wo", "wice")))
		r := applyIn(t, c, "untitled:doubt", nil)
		if r.Applied != (answer == "Apply") {
			t.Errorf("answer %q: %+v", answer, r)
		}
		if !strings.Contains(asked, "part of a longer word") || !strings.HasPrefix(asked, "Apply 1 file +1 −1?\na.txt\n• ") {
			t.Errorf("asked %q", asked)
		}
	}
}

// Unsaved text is not overwritten or deleted without a question. An edit of a part of a file needs no question, because
// it shows which text it expects. A file without unsaved text needs no question either.
func TestUnsavedTextAsks(t *testing.T) {
	remove := `    {"path": "b.txt", "operation": "delete"}`
	gitDelete := diffBlock("diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-%sb\n")
	for name, tt := range map[string]struct{ reply, reason string }{
		"overwritten": {bundle(replace("b.txt", "x\n")), "b.txt has unsaved text and would be overwritten"},
		"deleted":     {bundle(remove), "b.txt has unsaved text and would be deleted"},
		"git deletes": {gitDelete, "b.txt has unsaved text and would be deleted"},
		"edited":      {bundle(patch("b.txt", "b", "x")), ""},
	} {
		for typed, agrees := range map[string]bool{"": false, "mine ": true, "my ": false} {
			var asked []string
			c := serve(t, tree, func(c *lsptest.Client) {
				c.Choose = func(p *lsp.ShowMessageRequestParams) string {
					asked = append(asked, p.Message)
					return map[bool]string{true: "Apply", false: "Cancel"}[agrees]
				}
			})
			c.Editor.Open("b.txt", "plaintext")
			if typed != "" {
				c.Editor.Type("b.txt", lsp.TextEdit{NewText: typed})
			}
			openReply(c, strings.ReplaceAll(tt.reply, "%s", typed))
			r := apply(t, c, nil)
			asks := typed != "" && tt.reason != ""
			if r.Applied != (agrees || !asks) || (len(asked) > 0) != asks || asks && !strings.Contains(asked[0], tt.reason) {
				t.Errorf("%s, typed %q: asked %q, got %+v", name, typed, asked, r)
			}
		}
	}
}

// When VS Code opens a file, it converts all line endings to one kind. An apply would then change more lines than the
// reply does, so the server asks.
func TestMixedEndingsAsk(t *testing.T) {
	asked := ""
	c := serve(t, map[string]string{"a.txt": "one\r\ntwo\nthree\r\n"}, func(c *lsptest.Client) {
		c.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = p.Message; return "Apply" }
	})
	openReply(c, bundle(patch("a.txt", "two", "2")))
	if r := apply(t, c, nil); !r.Applied || !r.Verified || !strings.Contains(asked, "mixed line endings") {
		t.Errorf("asked %q, got %+v", asked, r)
	}
}

func TestErrorsRefuse(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create("a.txt", "x\n"), create("../up", "x\n"), create("fine.txt", "x\n")))
	r := apply(t, c, nil)
	if r.Applied || !strings.HasPrefix(r.Message, "Not applied: 2 errors; the first: a.txt already exists") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"fine.txt": "", "a.txt": tree["a.txt"]})
}

func TestUntrustedRefuses(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) { c.Options = map[string]any{"trusted": false} })
	openReply(c, reply)
	if r := apply(t, c, nil); r.Applied || !strings.Contains(r.Message, "not trusted") {
		t.Errorf("got %+v", r)
	}
	shows(t, c, undo)
}

// A client that supports only text edits gets only text edits, and the server makes the other changes.
func TestPlainClient(t *testing.T) {
	plain := func(c *lsptest.Client) { c.Capabilities = lsp.ClientCapabilities{} }
	c := serve(t, tree, plain)
	openReply(c, bundle(patch("a.txt", "two", "2")))
	if r := apply(t, c, nil); !r.Applied || !r.Verified {
		t.Errorf("got %+v", r)
	}
	c = serve(t, tree, plain)
	openReply(c, reply)
	if r := apply(t, c, nil); !r.Applied || !r.Verified || r.Lasting != "2 files were written to disk; undo does not restore them" {
		t.Errorf("got %+v", r)
	}
	shows(t, c, done)
}

// If the editor does not report the effect of an edit, the server believes the editor's answer, but does not call the
// result verified.
func TestUnseenIsNotVerified(t *testing.T) {
	lsptest.InSlowMotion(t, func(t *testing.T, _ time.Duration) {
		c := serveSlowly(t, tree, nil)
		c.Editor.Behave(lsptest.Behavior{Tell: lsptest.TellRelease})
		openReply(c, bundle(patch("a.txt", "two", "2")))
		r := apply(t, c, nil)
		if !r.Applied || r.Verified || r.RolledBack || !strings.Contains(r.Message, "a.txt") {
			t.Errorf("got %+v", r)
		}
	})
}

func TestApplyOneBlock(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create("1.txt", "1\n"))+"\n"+bundle(create("2.txt", "2\n")))
	two := 2
	if r := apply(t, c, &two); !r.Applied {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"1.txt": "", "2.txt": "2\n"})
}

func TestApplyText(t *testing.T) {
	c := serve(t, tree, nil)
	text := reply
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{Text: &text}, &r); err != nil || !r.Verified {
		t.Errorf("got %+v, %v", r, err)
	}
	shows(t, c, done)
}

func TestUnknownTargets(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	for _, target := range []protocol.Target{{URI: "untitled:other"}, {URI: replyURI, Block: new(2)}, {URI: replyURI, Block: new(0)}} {
		err := command(c, protocol.CommandApply, target, new(protocol.ApplyResult))
		wire, ok := err.(*lsptest.Error)
		if !ok || wire.Code != -32602 {
			t.Errorf("%+v: %v", target, err)
		}
	}
	shows(t, c, undo)
}

func TestManyFiles(t *testing.T) {
	c := serve(t, nil, nil)
	var entries []string
	for i := range 1000 {
		entries = append(entries, create(fmt.Sprintf("dir%d/%d.txt", i%10, i), "text\n"))
	}
	openReply(c, bundle(entries...))
	if r := apply(t, c, nil); !r.Applied || !r.Verified || len(r.Files) != 1000 {
		t.Errorf("got applied %v, verified %v: %s", r.Applied, r.Verified, r.Message)
	}
	lsptest.Await(c, lsp.MethodProgress, func(p *lsp.ProgressParams) bool { return strings.Contains(string(p.Value), "1000 files") })
	shows(t, c, map[string]string{"dir7/997.txt": "text\n"})
}

// Editors spell URIs differently: where the library of the server writes %28, Neovim writes a parenthesis.
func TestCommandsTakeOtherSpellingsOfURIs(t *testing.T) {
	c := serve(t, tree, nil)
	u := string(c.Editor.URI("c++ (copy), @x.md"))
	c.Editor.OpenText(u, "markdown", reply)
	var r protocol.ApplyResult
	other := strings.NewReplacer("%28", "(", "%29", ")", "%2B", "+", "%2C", ",", "%40", "@").Replace(u)
	if err := command(c, protocol.CommandApply, protocol.Target{URI: other}, &r); err != nil || !r.Applied || other == u {
		t.Errorf("%s: %+v, %v", other, r, err)
	}
}
