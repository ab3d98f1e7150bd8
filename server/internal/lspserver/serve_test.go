package lspserver_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

const replyURI = "untitled:reply.md"

// serve runs a server for an editor over the given files. set can configure the editor before
// it initializes.
func serve(t *testing.T, files map[string]string, set func(*lsptest.Client)) *lsptest.Client {
	t.Helper()
	return serveWith(t, t.TempDir(), files, set)
}

// serveSlowly is serve for tests in [lsptest.InSlowMotion].
func serveSlowly(t *testing.T, files map[string]string, set func(*lsptest.Client)) *lsptest.Client {
	t.Helper()
	return serveWith(t, lsptest.UnreachableState(t), files, set)
}

func serveWith(t *testing.T, state string, files map[string]string, set func(*lsptest.Client)) *lsptest.Client {
	t.Helper()
	history, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	c := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: state})
	})
	for path, content := range files {
		c.Editor.WriteDisk(path, content)
	}
	if set != nil {
		set(c)
	}
	c.Initialize()
	return c
}

// saysWhatItHolds configures an editor that answers aptix/documents, as VS Code does.
func saysWhatItHolds(c *lsptest.Client) {
	c.Documents, c.Options = true, map[string]any{"opensTouched": true, "documents": true}
}

// openReply opens a reply that is in no file.
func openReply(c *lsptest.Client, text string) { c.Editor.OpenText(replyURI, "markdown", text) }

func fence(body string) string { return "```json\n" + body + "\n```\n" }

// bundle returns a block of file entries.
func bundle(entries ...string) string {
	return fence("{\n  \"root\": \".\",\n  \"files\": [\n" + strings.Join(entries, ",\n") + "\n  ]\n}")
}

func create(path, content string) string { return entry(path, "create", content) }

func replace(path, content string) string { return entry(path, "replace", content) }

func entry(path, operation, content string) string {
	return `    {"path": ` + quote(path) + `, "operation": ` + quote(operation) + `, "content": ` + quote(content) + `}`
}

func remove(path string) string { return `    {"path": ` + quote(path) + `, "operation": "delete"}` }

func patch(path, find, with string) string {
	return `    {"path": ` + quote(path) + `, "operation": "patch", "patches": [{"find": ` + quote(find) + `, "replace": ` + quote(with) + `, "limit": "once"}]}`
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// apply runs aptix.apply on the reply.
func apply(t *testing.T, c *lsptest.Client, block *int) protocol.ApplyResult {
	t.Helper()
	return applyIn(t, c, replyURI, block)
}

func applyIn(t *testing.T, c *lsptest.Client, uri string, block *int) protocol.ApplyResult {
	t.Helper()
	var result protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: uri, Block: block}, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

func command(c *lsptest.Client, name string, target protocol.Target, result any) error {
	raw, err := json.Marshal(target)
	if err != nil {
		return err
	}
	return c.Call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: name, Arguments: []lsp.LSPAny{raw}}, result)
}

// shows checks the texts that the editor shows for files; "" means that a file must not
// exist.
func shows(t *testing.T, c *lsptest.Client, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got, _ := c.Editor.Text(path); got != text {
			t.Errorf("%s: the editor shows %q, want %q", path, got, text)
		}
	}
}
