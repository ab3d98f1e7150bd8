package formattest_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// broken panics on its blocks.
var broken = format.Format{
	Name: "broken", Title: "a block that nothing survives", Noun: "patch",
	Claims: format.Claims{Fences: []string{"broken"}, Shaped: func(*format.Region) bool { return true }},
	Parse:  func(*format.Region) format.Parsed { panic("boom") },
}

const panics = "```broken\nx\n```\n"

// A panic ends a command with readable sentences and the exit code of a failure. It prints
// its stack only on request.
func TestPanicOnTheCommandLine(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	exit, out := run(t, panics+reply, "apply", "--root", dir)
	if exit != 2 || !strings.HasPrefix(out, "aptix: internal error in \"aptix apply\": boom\n") || !strings.Contains(out, "/issues") || strings.Count(out, "\n") != 2 || strings.Contains(out, "goroutine") {
		t.Errorf("exit %d: %s", exit, out)
	}
	holds(t, dir, "")
	t.Setenv("APTIX_DEBUG", "1")
	if exit, out := run(t, panics, "check", "--root", dir); exit != 2 || !strings.Contains(out, "panic_test.go") {
		t.Errorf("exit %d: %s", exit, out)
	}
}

// If one reply causes a panic, the language server continues, and the other replies get
// their diagnostics.
func TestPanicInTheLanguageServer(t *testing.T) {
	c, _ := serve(t, panics)
	const other = "untitled:other.md"
	c.Editor.OpenText(other, "markdown", strings.Replace(reply, "one\ntwo\n", "", 1))
	lsptest.Await(c, lsp.MethodTextDocumentPublishDiagnostics, func(p *lsp.PublishDiagnosticsParams) bool { return p.URI == other && len(p.Diagnostics) > 0 })
	err := c.Call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandApply, Arguments: []lsp.LSPAny{lsp.LSPAny(`{"uri": "` + replyURI + `", "block": 1}`)}}, nil)
	if err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Errorf("apply: %v", err)
	}
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: other}}, nil)
}

func TestPanicOfATool(t *testing.T) {
	session, dir := agent(t)
	for _, text := range []string{panics, reply} {
		called, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "aptix_apply", Arguments: map[string]any{"text": text}})
		if err != nil || called.IsError != (text == panics) {
			t.Errorf("%v %+v", err, called)
		}
	}
	holds(t, dir, after)
}
