package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// told returns the message that the editor shows and that contains a text.
func told(t *testing.T, c *lsptest.Client, text string) *lsp.ShowMessageParams {
	t.Helper()
	return lsptest.Await(c, lsp.MethodWindowShowMessage, func(p *lsp.ShowMessageParams) bool { return strings.Contains(p.Message, text) })
}

// If an editor ignores the answer to a command, the server shows the result.
func TestOutcomeIsTold(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	r := apply(t, c, nil)
	if p := told(t, c, "Applied 4 files +3 −3"); p.Type != lsp.MessageTypeInfo {
		t.Errorf("got %+v", p)
	}
	revert(t, c, protocol.RevertParams{ID: r.ID})
	told(t, c, "Reverted 4 files")
	openReply(c, bundle(create("a.txt", "x\n")))
	apply(t, c, nil)
	if p := told(t, c, "Not applied: a.txt already exists"); p.Type != lsp.MessageTypeWarning {
		t.Errorf("got %+v", p)
	}
}

// Our own extension shows the result itself.
func TestOurShellIsNotTold(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) { c.Options = map[string]any{"offers": true, "opensTouched": true} })
	openReply(c, reply)
	apply(t, c, nil)
	if all := c.Received(lsp.MethodWindowShowMessage); len(all) > 0 {
		t.Errorf("it was told %s", all)
	}
}

// If an editor cannot show questions, a reply with a doubt is not applied, and the message says
// how to apply it.
func TestEditorCannotAsk(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) { c.NoQuestions = true })
	openReply(c, bundle(patch("a.txt", "wo", "wice")))
	err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI}, new(protocol.ApplyResult))
	if err == nil || !strings.Contains(err.Error(), "this editor cannot show questions") {
		t.Errorf("got %v", err)
	}
	if p := told(t, c, "`aptix apply` asks in a terminal"); p.Type != lsp.MessageTypeError {
		t.Errorf("got %+v", p)
	}
	shows(t, c, undo)
}
