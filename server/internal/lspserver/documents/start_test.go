package documents_test

import (
	"context"
	"io"
	"testing"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// start runs a server that only holds documents, with the method test/echo and those that add registers, and an editor
// connected to it.
func start(t *testing.T, docs *documents.Set, add func(*rpc.Table)) *lsptest.Client {
	t.Helper()
	table := rpc.NewTable()
	docs.Register(table)
	rpc.OnCall(table, lsp.MethodInitialize, func(context.Context, *lsp.InitializeParams) (*lsp.InitializeResult, error) {
		return &lsp.InitializeResult{}, nil
	})
	rpc.OnCall(table, "test/echo", func(_ context.Context, p *named) (*named, error) { return p, nil })
	if add != nil {
		add(table)
	}
	client := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return rpc.NewConn(rwc, table, rpc.Options{Log: zap.NewNop(), Before: docs.Before, Lost: docs.Lost}).Run(context.Background())
	})
	client.Initialize()
	return client
}

type named struct {
	Name string `json:"name"`
}

// sync makes sure that the server has read everything sent so far.
func sync(t *testing.T, c *lsptest.Client) {
	t.Helper()
	var got named
	if c.MustCall("test/echo", named{"Ä"}, &got); got.Name != "Ä" {
		t.Errorf("echo is %q", got.Name)
	}
}

func document(docs *documents.Set, c *lsptest.Client, path string) *documents.Document {
	return docs.Snapshot().Get(c.Editor.URI(path))
}
