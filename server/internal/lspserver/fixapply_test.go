package lspserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// backslashed has one error, a path with a backslash, which has a certain fix.
var backslashed = bundle(create(`dir\a.txt`, "a\n"))

func TestFixAndApply(t *testing.T) {
	c := serve(t, nil, nil)
	openReply(c, backslashed)
	if got := titles(t, c); got != "0: Fix and Apply, Preview, Apply Aptix bundle, Copy problems for the model, 1 error" {
		t.Errorf("lenses %s", got)
	}
	if got := actionTitles(blockActions(c, 1)); got != "Fix and Apply" {
		t.Errorf("actions %s", got)
	}
	click(t, c, 0, "Fix and Apply")
	shows(t, c, map[string]string{"dir/a.txt": "a\n"})
	if text, _ := c.Editor.Text(replyURI); !strings.Contains(text, `"dir/a.txt"`) {
		t.Errorf("the reply is not repaired: %s", text)
	}
}

// If an error loses its certain fix, the lens Fix and Apply disappears, although the block still has one error.
func TestLensOfAFixGoes(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\ntwo\n"}, nil)
	openReply(c, "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,9 @@\n one\n-two\n+2\n```\n")
	c.Editor.Open("a.txt", "plaintext")
	coded := func(code lsp.String) {
		t.Helper()
		c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 && ds[0].Code == code })
	}
	coded("hunk-counts")
	if got := titles(t, c); !strings.HasPrefix(got, "0: Fix and Apply, ") {
		t.Errorf("lenses %s", got)
	}
	refreshed := len(c.Received(lsp.MethodWorkspaceCodeLensRefresh))
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 2}}, NewText: "nothing of it\n"})
	coded("hunk-not-found")
	lsptest.Await(c, lsp.MethodWorkspaceCodeLensRefresh, func(*json.RawMessage) bool {
		return len(c.Received(lsp.MethodWorkspaceCodeLensRefresh)) > refreshed
	})
	if got := titles(t, c); !strings.HasPrefix(got, "0: Preview, Apply Aptix patch, Copy problems for the model, 1 error") {
		t.Errorf("lenses %s", got)
	}
}

// A refusal offers Fix and Apply.
func TestRefusalOffersFix(t *testing.T) {
	for answer, want := range map[string]string{"Fix and Apply": "a\n", "Cancel": ""} {
		c := serve(t, nil, func(c *lsptest.Client) {
			c.Choose = func(p *lsp.ShowMessageRequestParams) string { return answer }
		})
		openReply(c, backslashed)
		if r := apply(t, c, nil); r.Applied != (want != "") {
			t.Errorf("%s: %+v", answer, r)
		}
		shows(t, c, map[string]string{"dir/a.txt": want})
	}
	c := serve(t, nil, func(c *lsptest.Client) { c.Options = map[string]any{"offers": true} })
	openReply(c, backslashed)
	if r := apply(t, c, nil); r.Applied || !r.Fixable {
		t.Errorf("got %+v", r)
	}
}

// The parts that are left out of a block are stored under the block's text. A fix would change that text, and the parts
// would then be applied.
func TestFixAndApplyKeepsWhatIsLeftOut(t *testing.T) {
	c := serve(t, nil, nil)
	openReply(c, bundle(patch("a.py", "x = 1\ny = 2\nz = 3", "x = 1\ny = 4\nz = 3"), create("b.txt", "b\n")))
	for _, a := range blockActions(c, 5) {
		if a.Title == "Skip this file" {
			c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: a.Command.Command, Arguments: a.Command.Arguments}, nil)
		}
	}
	if got := titles(t, c); strings.Contains(got, "Fix and Apply") {
		t.Errorf("lenses %s", got)
	}
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, Fix: true}, &r); err != nil || r.Applied {
		t.Errorf("got %+v, %v", r, err)
	}
	shows(t, c, map[string]string{"dir/a.txt": "", "b.txt": ""})
}
