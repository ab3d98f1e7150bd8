package casetest

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/lspserver/lsptest"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// throughLSP compares texts, as an editor has encodings and endings of its own.
func throughLSP(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	client := startEditor(t, c, dir)
	var results [2]protocol.ApplyResult
	for i := range results {
		var result protocol.ApplyResult
		client.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{
			Command: protocol.CommandApply, Arguments: []lsp.LSPAny{target(t, client, c)},
		}, &result)
		if c.Exit != 0 && result.Applied {
			t.Errorf("applied what should be refused: %s", result.Message)
		}
		if c.Exit == 0 && !result.Verified {
			t.Errorf("not verified: %+v", result)
		}
		if c.Exit != 0 {
			same(t, "after a refusal", c.Before, dir)
		} else {
			shows(t, c, client)
		}
		results[i] = result
	}
	sameIDs(t, results[0].Applied, results[0].Batches, results[1].Batches)
	if exit := client.Exit(); exit != 0 {
		t.Errorf("the server ended with %d", exit)
	}
}

func startEditor(t *testing.T, c *Case, dir string) *lsptest.Client {
	t.Helper()
	history, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	client := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: t.TempDir()})
	})
	client.Settings = map[string]any{"aptix": map[string]any{"strict": slices.Contains(c.Flags, "--strict")}}
	client.Choose = func(*lsp.ShowMessageRequestParams) string {
		if c.Exit != 0 {
			return "Cancel" // where the command line refuses, an editor may ask
		}
		return "Apply"
	}
	client.Initialize()
	for _, path := range c.Open {
		client.Editor.Open(path, "plaintext")
	}
	client.Editor.OpenText(replyURI(c), "markdown", c.Text)
	return client
}

// replyURI is a document without a file, as the reply of a chat is.
func replyURI(c *Case) string { return "untitled:" + c.Reply }

func target(t *testing.T, client *lsptest.Client, c *Case) lsp.LSPAny {
	t.Helper()
	raw, err := json.Marshal(protocol.Target{URI: string(client.Editor.URI(replyURI(c)))})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func shows(t *testing.T, c *Case, client *lsptest.Client) {
	t.Helper()
	for path, f := range c.After {
		if f.Mode&fs.ModeSymlink != 0 {
			continue // an editor shows what is behind it
		}
		if _, _, err := text.Decode(f.Data); err != nil {
			if got, _ := client.Editor.ReadDisk(path); got != f.Data {
				t.Errorf("%s: the disk has %q, want %q", path, got, f.Data)
			}
			continue // no text that an editor shows
		}
		got, there := client.Editor.Text(path)
		if !there || plain(t, got) != plain(t, f.Data) {
			t.Errorf("%s: the editor shows %q, want %q", path, got, f.Data)
		}
	}
	for path := range c.Before {
		if _, stays := c.After[path]; stays {
			continue
		}
		if got, there := client.Editor.Text(path); there {
			t.Errorf("%s should be gone, but the editor shows %q", path, got)
		}
	}
}

// plain is the text of a file without what an editor decides: BOM and endings.
func plain(t *testing.T, data string) string {
	t.Helper()
	s, _, err := text.Decode(data)
	if err != nil {
		return data
	}
	return text.WithEOL(strings.TrimPrefix(s, "\ufeff"), text.LF)
}
