package documents_test

import (
	"context"
	"errors"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// A disk that hangs delays neither typing, saving and closing, nor other calls, nor the cancellation of a call.
func TestDiskHangs(t *testing.T) {
	hung := make(chan struct{})
	looking := make(chan struct{}, 1)
	docs := documents.New()
	docs.BlockDisk(hung)
	c := start(t, docs, func(table *rpc.Table) {
		rpc.OnCall(table, "test/saved", func(ctx context.Context, p *named) (bool, error) {
			found := make(chan bool, 1)
			go func() { found <- documents.SnapshotOf(ctx).Get(uri.URI(p.Name)).Saved() }()
			looking <- struct{}{}
			select {
			case saved := <-found:
				return saved, nil
			case <-ctx.Done():
				return false, ctx.Err()
			}
		})
	})
	c.Editor.WriteDisk("a.txt", "one\n")
	c.Editor.Open("a.txt", "plaintext")
	waiting := c.Go("test/saved", named{string(c.Editor.URI("a.txt"))})
	<-looking
	for range 50 {
		c.Editor.Type("a.txt", protocol.TextEdit{NewText: "x"})
		sync(t, c)
	}
	if doc := document(docs, c, "a.txt"); doc.Version != 51 || len(doc.Text) != 54 {
		t.Errorf("the server has %+v", doc)
	}
	waiting.Cancel()
	const requestCancelled = -32800
	if answer := (*lsptest.Error)(nil); !errors.As(waiting.Wait(nil), &answer) || answer.Code != requestCancelled {
		t.Errorf("the answer to a cancelled call is %v", answer)
	}
	close(hung)
	c.Editor.Save("a.txt")
	sync(t, c)
	if !document(docs, c, "a.txt").Saved() {
		t.Error("it is saved")
	}
}
