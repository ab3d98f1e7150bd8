package lspserver_test

import (
	"fmt"
	"testing"

	lsp "go.lsp.dev/protocol"
)

// If a person types in one of many replies, that reply gets its diagnostics first.
func TestTypedReplyIsPublishedFirst(t *testing.T) {
	const replies = 30
	c := serve(t, tree, nil)
	name := func(i int) string { return fmt.Sprintf("reply%d.md", i) }
	ready := func(all []lsp.Diagnostic) bool { return len(all) == 0 }
	missing := func(all []lsp.Diagnostic) bool { return len(all) > 0 }
	for i := range replies {
		c.Editor.OpenText(name(i), "markdown", bundle(patch("a.txt", "two", "2")))
		c.AwaitDiagnostics(name(i), ready)
	}
	others := 0
	for i := range replies {
		before := len(c.Received(lsp.MethodTextDocumentPublishDiagnostics))
		c.Editor.Type(name(i), lsp.TextEdit{NewText: bundle(patch("a.txt", "no such text", "2"))})
		c.AwaitDiagnostics(name(i), missing)
		others += len(c.Received(lsp.MethodTextDocumentPublishDiagnostics)) - before - 1
	}
	if most := replies * 6; others > most { // the previous round, and some on their way
		t.Errorf("%d diagnostics of other replies came first, and may be %d", others, most)
	}
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "no such text\n"})
	for i := range replies {
		c.AwaitDiagnostics(name(i), ready)
	}
}
