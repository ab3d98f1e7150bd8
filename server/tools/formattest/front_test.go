package formattest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/mcp"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

const (
	reply = "Some words, and\n\nWrite `notes/a.txt`:\n<<<<\none\ntwo\n>>>>\n\nThat is all.\n"
	after = "one\ntwo\n"
)

func checked(t *testing.T, doc string) *check.Result {
	t.Helper()
	r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: doc}}, check.Where{Tree: os.DirFS(t.TempDir()), Base: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCheck(t *testing.T) {
	r := checked(t, reply+strings.ReplaceAll(reply, "a.txt", "b.txt")+"```json\n{\"root\": \".\", \"files\": [{\"path\": \"c\", \"operation\": \"create\", \"content\": \"\"}]}\n```\n")
	if len(r.Blocks) != 3 || !r.Applicable() || len(r.Plan.Files) != 3 {
		t.Fatalf("%d blocks, %d files: %+v", len(r.Blocks), len(r.Plan.Files), r.Blocks)
	}
	if b := r.Blocks[0]; b.Format.Name != "whole" || b.Span.In(r.Documents[0].Text) != "Write `notes/a.txt`:\n<<<<\none\ntwo\n>>>>\n" {
		t.Errorf("%s claims %q", b.Format.Name, b.Span.In(r.Documents[0].Text))
	}
}

// A fence is claimed with the line above it, and a fence of another format is not.
func TestFenceBelowItsPath(t *testing.T) {
	fenced := "Write `notes/a.txt`:\n```go\npackage a\n```\n"
	r := checked(t, "Look:\n```go\npackage b\n```\n\n"+fenced+"Write `c.txt`:\n```diff\n--- a/d.txt\n+++ b/d.txt\n@@ -0,0 +1 @@\n+x\n```\n")
	if len(r.Blocks) != 2 || r.Blocks[1].Format.Name != "git" {
		t.Fatalf("%+v", r.Blocks)
	}
	if b := r.Blocks[0]; b.Span.In(r.Documents[0].Text)+"\n" != fenced || len(b.Files) != 1 || b.Files[0].After().Data != "package a\n" {
		t.Errorf("%q is %+v", b.Span.In(r.Documents[0].Text), b.Files)
	}
}

// A sample in a fence, and marks without a path, are prose. If the marks are not closed,
// the block is still being written.
func TestProse(t *testing.T) {
	for _, doc := range []string{"```text\n" + reply + "```\n", "````md\n" + reply + "```\n", strings.ReplaceAll(reply, "Write", "See")} {
		if r := checked(t, doc); len(r.Blocks) != 0 {
			t.Errorf("claimed %q", doc)
		}
	}
	for at := strings.Index(reply, ">>>>"); at > strings.Index(reply, "<<<<")+4; at-- {
		if r := checked(t, reply[:at]); len(r.Blocks) != 1 || r.Blocks[0].State != check.Incomplete {
			t.Errorf("a prefix of %d bytes: %+v", at, r.Blocks)
		}
	}
}

// The path above the marks belongs to the block: mistakes in it are shown and repaired
// there.
func TestRepairOfThePath(t *testing.T) {
	r, err := check.Repair(t.Context(), []check.Document{{Name: "reply.md", Text: strings.Replace(reply, "notes", "./notes", 1)}}, check.Where{Tree: os.DirFS(t.TempDir()), Base: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Documents[0].Text != reply {
		t.Errorf("repaired to %q", r.Documents[0].Text)
	}
}

// run runs the command line with the reply as standard input.
func run(t *testing.T, in string, args ...string) (exit int, out string) {
	t.Helper()
	var printed bytes.Buffer
	exit = cli.Run(t.Context(), args, cli.IO{In: strings.NewReader(in), Out: &printed, Err: &printed}, "test")
	return exit, printed.String()
}

func TestCommandLine(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	if exit, out := run(t, reply, "convert", "--root", dir, "--to", "whole"); exit != 2 || !strings.Contains(out, "whole") {
		t.Errorf("convert to a format that nothing writes: %d %s", exit, out)
	}
	if exit, out := run(t, reply, "convert", "--root", dir, "--to", "git"); exit != 0 || !strings.Contains(out, "+++ b/notes/a.txt") {
		t.Errorf("convert: %d %s", exit, out)
	}
	if exit, out := run(t, reply, "apply", "--root", dir); exit != 0 {
		t.Fatalf("apply: %d %s", exit, out)
	}
	holds(t, dir, after)
	if exit, out := run(t, reply, "check", "--root", dir, "--json"); exit != 0 || !strings.Contains(out, `"format": "whole"`) || !strings.Contains(out, `"state": "done"`) {
		t.Errorf("check: %d %s", exit, out)
	}
	if exit, out := run(t, "", "revert", "--root", dir); exit != 0 {
		t.Errorf("revert: %d %s", exit, out)
	}
	holds(t, dir, "")
}

// holds checks the content of notes/a.txt; "" means that the file must not exist.
func holds(t *testing.T, dir, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "notes", "a.txt"))
	if string(got) != want || (err == nil) != (want != "") {
		t.Errorf("notes/a.txt holds %q, %v; want %q", got, err, want)
	}
}

const replyURI = "untitled:reply.md"

func serve(t *testing.T, doc string) (*lsptest.Client, string) {
	t.Helper()
	h, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	dir := t.TempDir()
	c := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: h, StateDir: t.TempDir()})
	})
	c.Initialize()
	c.Editor.OpenText(replyURI, "markdown", doc)
	return c, dir
}

func TestLanguageServer(t *testing.T) {
	c, dir := serve(t, reply)
	at := lsp.TextDocumentPositionParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}, Position: lsp.Position{Line: 2, Character: 10}}
	var lenses []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: at.TextDocument}, &lenses)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
	}
	if got := strings.Join(titles, ", "); got != "Preview, Apply Aptix patch, 1 file +2 −0" || lenses[0].Range.Start.Line != 2 {
		t.Errorf("lenses %s on line %d", got, lenses[0].Range.Start.Line)
	}
	var hover json.RawMessage
	c.MustCall(lsp.MethodTextDocumentHover, &lsp.HoverParams{TextDocumentPositionParams: at}, &hover)
	if !strings.Contains(string(hover), "create `notes/a.txt` +2") {
		t.Errorf("hover: %s", hover)
	}
	var symbols json.RawMessage
	c.MustCall(lsp.MethodTextDocumentDocumentSymbol, &lsp.DocumentSymbolParams{TextDocument: at.TextDocument}, &symbols)
	if !strings.Contains(string(symbols), `"Whole file"`) || !strings.Contains(string(symbols), `"notes/a.txt"`) {
		t.Errorf("symbols: %s", symbols)
	}
	var result protocol.ApplyResult
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandApply, Arguments: []lsp.LSPAny{lsp.LSPAny(`{"uri": "` + replyURI + `", "block": 1}`)}}, &result)
	if !result.Applied || !result.Verified {
		t.Fatalf("%+v", result)
	}
	if text, _ := c.Editor.Text("notes/a.txt"); text != after {
		t.Errorf("the editor has %q", text)
	}
	_ = dir
}

func TestDiagnosticsAndCompletion(t *testing.T) {
	c, _ := serve(t, strings.Replace(reply, "one\ntwo\n", "", 1))
	c.Editor.WriteDisk("notes/old.txt", "x\n")
	published := lsptest.Await(c, lsp.MethodTextDocumentPublishDiagnostics, func(p *lsp.PublishDiagnosticsParams) bool { return len(p.Diagnostics) > 0 })
	if d := published.Diagnostics[0]; d.Range.Start != (lsp.Position{Line: 3}) || d.Range.End != (lsp.Position{Line: 3, Character: 4}) {
		t.Errorf("a diagnostic at %v", d.Range)
	}
	var list json.RawMessage
	c.MustCall(lsp.MethodTextDocumentCompletion, &lsp.CompletionParams{TextDocumentPositionParams: lsp.TextDocumentPositionParams{
		TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}, Position: lsp.Position{Line: 2, Character: 13}}}, &list)
	if !strings.Contains(string(list), "notes/old.txt") {
		t.Errorf("completion: %s", list)
	}
}

// agent returns a client of the MCP server, and the server's folder.
func agent(t *testing.T) (*sdk.ClientSession, string) {
	t.Helper()
	dir, state := t.TempDir(), t.TempDir()
	h, err := history.Open(state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	there, here := sdk.NewInMemoryTransports()
	go func() {
		_ = mcp.Serve(context.Background(), there, mcp.Config{Version: "test", Log: zap.NewNop(), History: h, StateDir: state, Roots: []string{dir}, AllowApply: true})
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, dir
}

func TestAgent(t *testing.T) {
	session, dir := agent(t)
	called, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "aptix_apply", Arguments: map[string]any{"text": reply}})
	if err != nil || called.IsError {
		t.Fatalf("%v %+v", err, called)
	}
	holds(t, dir, after)
}
