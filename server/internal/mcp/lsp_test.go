package mcp

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// An agent works in a running editor. It reads the text that the person typed, the person is
// asked, and the change is made in the open document. Permission to write to disk is not
// needed and makes no difference.
func TestThroughLanguageServer(t *testing.T) {
	needs.Sockets(t)
	dir := folder(t, "demo", map[string]string{"a.txt": "saved\n"})
	config := newConfig(t, dir)
	config.AllowApply = false
	editor := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: config.Version, Log: config.Log, History: config.History, StateDir: config.StateDir})
	})
	answer := "Cancel"
	var asked string
	editor.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = p.Message; return answer }
	editor.Initialize()
	editor.Editor.Open("a.txt", "plaintext")
	editor.Editor.Type("a.txt", lsp.TextEdit{NewText: "typed and "})
	editor.MustCall(protocol.MethodHistory, protocol.HistoryParams{}, nil) // the server has handled everything sent before
	c := connect(t, config)
	read, _ := must[struct{ Source, SHA256, Content string }](c, "workspace_read_file", object{"docPath": "demo/a.txt"})
	if read.Source != "active" || read.Content != "typed and saved\n" {
		t.Fatalf("%+v", read)
	}
	if code, _ := c.refused("workspace_write_patch", patch("demo/a.txt", sum("saved\n"), "saved", "x")); code != "sha256-mismatch" {
		t.Error(code)
	}
	arguments := patch("demo/a.txt", read.SHA256, "typed and saved", "patched")
	if code, said := c.refused("workspace_write_patch", arguments); code != "declined-by-user" || !strings.Contains(asked, "a test") {
		t.Errorf("%s %s, asked %q", code, said, asked)
	}
	answer = "Apply"
	done, _ := must[written](c, "workspace_write_patch", arguments)
	if shown, _ := editor.Editor.Text("a.txt"); shown != "patched\n" || !done.Applied || done.Files[0].SHA256 != sum("patched\n") {
		t.Errorf("%q %+v", shown, done)
	}
	if again, _ := must[written](c, "workspace_write_patch", arguments); !again.AlreadyDone || again.BatchID != done.BatchID {
		t.Errorf("%+v", again)
	}
	if exit := editor.Exit(); exit != 0 {
		t.Errorf("exit %d", exit)
	}
	if _, err := link.Dial(t.Context(), config.StateDir, config.Version, dir); !errors.Is(err, link.ErrNone) {
		t.Error(err)
	}
	if code, _ := c.refused("aptix_apply", bundle("a.txt", "x\n")); code != "no-editor" {
		t.Error(code)
	}
}
