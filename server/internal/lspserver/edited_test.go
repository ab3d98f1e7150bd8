package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
)

// If a person edits a text in the preview, the edited text is applied and recorded, and a revert
// restores the file. If the file has changed since the preview, nothing is applied.
func TestEditBeforeApply(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\r\ntwo\r\n", "b.txt": "b\n"}, nil)
	c.Editor.OpenText("reply.md", "markdown", bundle(patch("a.txt", "one", "1"), patch("b.txt", "b", "B"), create("c.txt", "c\n")))
	target := protocol.Target{URI: string(c.Editor.URI("reply.md"))}
	target.Edited = []protocol.EditedFile{{Path: "a.txt", Was: "1\ntwo\n", Text: "mine\ntwo\n"}, {Path: "b.txt", Was: "B\n", Text: "b\n"}, {Path: "c.txt", Was: "c\n", Text: "c\nmore\n"}}
	var r protocol.ApplyResult
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\r\n"})
	if err := command(c, protocol.CommandApply, target, &r); err != nil || r.Applied || !strings.Contains(r.Message, "a.txt or the reply has changed since the preview was opened") {
		t.Fatalf("got %+v, %v", r, err)
	}
	target.Edited[0].Was, target.Edited[0].Text = "zero\n1\ntwo\n", "zero\nmine\ntwo\n"
	if err := command(c, protocol.CommandApply, target, &r); err != nil || !r.Applied || !r.Verified || r.Message != "Applied 2 files +3 −1" {
		t.Fatalf("got %+v, %v", r, err)
	}
	shows(t, c, map[string]string{"a.txt": "zero\r\nmine\r\ntwo\r\n", "b.txt": "b\n", "c.txt": "c\nmore\n"})
	if all := entries(t, c); all[0].Label != "reply.md, edited" || all[0].State != protocol.EntryInForce {
		t.Errorf("got %+v", all)
	}
	if back := revert(t, c, protocol.RevertParams{ID: r.ID, Asked: true}); !back.Applied {
		t.Errorf("got %+v", back)
	}
	shows(t, c, map[string]string{"a.txt": "zero\r\none\r\ntwo\r\n", "c.txt": ""})
}
