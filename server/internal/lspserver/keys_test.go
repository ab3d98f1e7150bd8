package lspserver_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// BenchmarkKeys measures how long the diagnostics take after a key, in milliseconds: the
// median and the 99th percentile. A fast typist presses a key every 50 ms.
func BenchmarkKeys(b *testing.B) {
	for _, size := range []int{1 << 20, 5 << 20} {
		b.Run(fmt.Sprintf("%d MB with 100 blocks", size>>20), func(b *testing.B) {
			c := lsptest.Start(b, b.TempDir(), func(rwc io.ReadWriteCloser) int {
				return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), StateDir: b.TempDir()})
			})
			c.Initialize()
			openReply(c, manyBlocks(size/100))
			c.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return true })
			var took []time.Duration
			for version := int32(2); b.Loop(); version++ {
				start := time.Now()
				typeKey(c, version)
				took = append(took, time.Since(start))
				time.Sleep(50*time.Millisecond - time.Since(start))
			}
			slices.Sort(took)
			for name, i := range map[string]int{"p50-ms": len(took) / 2, "p99-ms": len(took) * 99 / 100} {
				b.ReportMetric(float64(took[i].Microseconds())/1e3, name)
			}
		})
	}
}

// manyBlocks returns a reply of 100 blocks with a total size.
func manyBlocks(size int) string {
	var reply strings.Builder
	for i := range 100 {
		line := fmt.Sprintf("line of file %d, as many others\n", i)
		fmt.Fprintf(&reply, "File %d:\n\n%s\n", i, bundle(create(fmt.Sprintf("dir/file%d.txt", i), strings.Repeat(line, size/len(line)))))
	}
	return reply.String()
}

// typeKey types a character into the first line, and waits for the diagnostics of the
// resulting version.
func typeKey(c *lsptest.Client, version int32) {
	id := lsp.VersionedTextDocumentIdentifier{Version: version}
	id.URI = c.Editor.URI(replyURI)
	c.Notify(lsp.MethodTextDocumentDidChange, &lsp.DidChangeTextDocumentParams{TextDocument: id,
		ContentChanges: []lsp.TextDocumentContentChangeEvent{&lsp.TextDocumentContentChangePartial{Text: "x"}}})
	lsptest.Await(c, lsp.MethodTextDocumentPublishDiagnostics, func(p *lsp.PublishDiagnosticsParams) bool {
		v, ok := p.Version.Get()
		return ok && v == version
	})
}
