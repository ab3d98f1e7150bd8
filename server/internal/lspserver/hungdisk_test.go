package lspserver_test

import (
	"context"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// A disk that hangs delays neither typing, saving and closing, nor other calls, nor the cancellation of a call.
func TestDiskHangs(t *testing.T) {
	hung := make(chan struct{})
	looking := make(chan struct{}, 1)
	c, s := start(t, func(s *server) {
		s.docs.BlockDisk(hung)
		echo(s)
		rpc.OnCall(s.table, "test/saved", func(ctx context.Context, p *named) (bool, error) {
			found := make(chan bool, 1)
			go func() { found <- lspserver.SnapshotOf(ctx).Get(uri.URI(p.Name)).Saved() }()
			looking <- struct{}{}
			select {
			case saved := <-found:
				return saved, nil
			case <-ctx.Done():
				return false, ctx.Err()
			}
		})
	})
	c.Initialize()
	c.Editor.WriteDisk("a.txt", "one\n")
	c.Editor.Open("a.txt", "plaintext")
	waiting := c.Go("test/saved", named{string(c.Editor.URI("a.txt"))})
	await(t, looking)
	for range 50 {
		c.Editor.Type("a.txt", protocol.TextEdit{NewText: "x"})
		wantAlive(t, c)
	}
	if doc := document(s, c, "a.txt"); doc.Version != 51 || len(doc.Text) != 54 {
		t.Errorf("the server has %+v", doc)
	}
	waiting.Cancel()
	wantCode(t, waiting.Wait(nil), requestCancelled)
	close(hung)
	c.Editor.Save("a.txt")
	sync(t, c)
	if !document(s, c, "a.txt").Saved() {
		t.Error("it is saved")
	}
}
