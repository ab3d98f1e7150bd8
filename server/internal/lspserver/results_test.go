package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// All requests about one version of a document share one check. The server checks again after
// a change of the document, of a file or of the history. An apply never uses a kept check.
func TestChecksAreKept(t *testing.T) {
	yes, one := true, 1
	registered := func(c *lsptest.Client) {
		c.Capabilities.Workspace.DidChangeWatchedFiles = &lsp.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &yes}
	}
	c := serve(t, map[string]string{"a.txt": "one\n"}, registered)
	lsptest.Await(c, lsp.MethodClientRegisterCapability, func(*lsp.RegistrationParams) bool { return true })
	openReply(c, bundle(replace("a.txt", "two\n")))
	state := func() string {
		t.Helper()
		var lenses []lsp.CodeLens
		c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &lenses)
		return lenses[len(lenses)-1].Command.Title
	}
	const change, done = "1 file +1 −1", "already applied"
	eventually := func(want string) {
		t.Helper()
		for range 200 {
			if state() == want {
				return
			}
		}
		t.Fatalf("the lens says %q, want %q", state(), want)
	}
	changed := func(text string) {
		c.Editor.WriteDisk("a.txt", text)
		c.Notify(lsp.MethodWorkspaceDidChangeWatchedFiles, &lsp.DidChangeWatchedFilesParams{Changes: []lsp.FileEvent{{URI: c.Editor.URI("a.txt"), Type: lsp.FileChangeTypeChanged}}})
	}
	eventually(change)
	// If the server learns of a change late, such as a change of settings, it checks once more, but not once for each
	// request.
	kept := false
	for try := 0; !kept && try < 5; try++ {
		changed("one\n")
		eventually(change)
		c.Editor.WriteDisk("a.txt", "two\n") // the editor does not report this change
		kept = true
		for range 5 {
			kept = kept && state() == change
		}
	}
	if !kept {
		t.Fatal("a version is checked again and again")
	}
	changed("two\n")
	eventually(done)
	c.Editor.WriteDisk("a.txt", "three\n")
	if r := apply(t, c, &one); !r.Applied {
		t.Fatalf("an apply by a kept check: %+v", r)
	}
	eventually(done)
	if text, _ := c.Editor.Text("a.txt"); !strings.HasPrefix(text, "two") {
		t.Errorf("a.txt is %q", text)
	}
}
