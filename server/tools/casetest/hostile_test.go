package casetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/mcp"
	"github.com/aptix-dev/aptix/server/tools/casefile"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// hostilePieces are texts that have an effect in a terminal, a notification or Markdown.
var hostilePieces = []string{"[a](command:x)", "![a](http:\\\\e.vil\\x.png)", "<img src=x>", "<b>", "www.e.vil", "http:", "a@e.vil", "&lt;", "$(x)", "**", "`", "``",
	"~", "|", "]", "(", "\x1b[2J", "\u009b", "\r", "\n", "\t", "\u202e", "\u2066", "\u2028", "\u200b", "\ufe0f", "\u3164", "\U000e0041", "# ", "- ", " ", "a", "世",
	"::error::", "\n::add-mask::", "##[error]", "##vso[task.x]"}

// A hostileReply is a reply with its tree. Its names and texts are drawn from
// hostilePieces.
type hostileReply struct{ name, path, to, find, label, body string }

var hostileReplies = rapid.Custom(func(t *rapid.T) hostileReply {
	text := func(name string) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostilePieces), 1, 5).Draw(t, name), "")
	}
	r := hostileReply{path: "d/" + text("path") + ".txt", to: text("to") + "x", find: text("find") + "y", label: text("label")}
	kind := rapid.IntRange(0, len(hostileKinds)-1).Draw(t, "kind")
	r.name = rapid.SampledFrom([]string{"reply.md", "::error::.md"}).Draw(t, "name")
	if path := rapid.SampledFrom([]string{r.path, "../" + r.path, "./" + r.path, "/" + r.path, ".git/" + r.path, r.path + "/x"}).Draw(t, "how"); rapid.Bool().Draw(t, "spoilt") {
		r.path = path
	}
	r.body = hostileKinds[kind](r)
	return r
})

// hostileKinds are functions that write a reply, one for each format.
var hostileKinds = []func(hostileReply) string{
	func(r hostileReply) string {
		return fenced("json", asJSON(map[string]any{"root": ".", "files": []any{map[string]any{"path": r.to, "operation": "create", "content": r.find}, map[string]any{"path": r.path, "operation": "replace", "content": r.find}}}))
	},
	func(r hostileReply) string {
		return fenced("json", asJSON(map[string]any{"root": ".", "patches": []any{map[string]any{"path": r.path, "find": r.find, "replace": r.label}}}))
	},
	func(r hostileReply) string {
		return fenced("json", asJSON(map[string]any{"root": r.label, "patches": []any{map[string]any{"path": r.path, "find": "one", "replace": r.label}}}))
	},
	func(r hostileReply) string {
		return fenced("json", asJSON(map[string]any{"batchLabel": r.label, "files": []any{map[string]any{"docPath": strings.ToLower(folderName + "/" + r.path), "fileLabel": r.label, "originalSha256": strings.Repeat("0", 64),
			"changes": []any{map[string]any{"operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": []string{r.find}, "newLines": []string{r.label}, "description": r.label}}}}}))
	},
	func(r hostileReply) string {
		old, new := gitQuoted("a/"+r.path), gitQuoted("b/"+r.path)
		return fenced("patch", fmt.Sprintf("diff --git %s %s\n--- %s\n+++ %s\n@@ -1,1 +1,1 @@\n-one\n+%s\n", old, new, old, new, oneLine(r.find)))
	},
	func(r hostileReply) string {
		return fenced("patch", fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nrename from %[1]s\nrename to %[2]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,1 +1,1 @@\n-%[3]s\n+two\n", oneLine(r.path), oneLine(r.to), oneLine(r.find)))
	},
	func(r hostileReply) string {
		return fenced("", fmt.Sprintf("%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n", oneLine(r.path), oneLine(r.find), r.label))
	},
	func(r hostileReply) string {
		return fenced("", fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n*** Move to: %s\n@@ %s\n-%s\n+two\n*** End Patch\n", oneLine(r.path), oneLine(r.to), oneLine(r.label), oneLine(r.find)))
	},
	func(r hostileReply) string {
		return fenced("json", asJSON([]any{map[string]any{"command": "str_replace", "path": r.path, "old_str": r.find, "new_str": r.label},
			map[string]any{"name": r.label, "input": map[string]any{"path": r.to}}, map[string]any{"name": "create", "arguments": asJSON(map[string]any{"path": r.path, "file_text": r.find, r.label: "x"})}}))
	},
	func(r hostileReply) string {
		return fenced("", fmt.Sprintf("<write_to_file>\n<path>%s</path>\n<content>\n%s\n</content>\n<%s>\n</write_to_file>\n", r.path, r.find, r.label))
	},
	func(r hostileReply) string {
		return fenced("ap", fmt.Sprintf("AB12 AP 3.1\n\nAB12 FILE\n%s\n\nAB12 REPLACE\nAB12 snippet\n%s\nAB12 content\n%s\n", oneLine(r.path), r.find, r.label))
	},
}

func fenced(tag, body string) string { return "`````" + tag + "\n" + body + "\n`````\n" }

func oneLine(s string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(s) }

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// gitQuoted returns a name as git quotes it, byte by byte.
func gitQuoted(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		fmt.Fprintf(&b, `\%03o`, c)
	}
	return `"` + b.String() + `"`
}

// Whatever the names and texts in a reply and a folder, no front end shows a person a control
// character, a character that reorders or hides text, or a link or image made from them.
func TestNothingUnescaped(t *testing.T) {
	needs.AnyNames(t)
	usual, applied := 60, 0
	if trials.Few() {
		usual /= 3
	}
	rounds := trials.Rounds(t, usual)
	for i := range rounds {
		r := hostileReplies.Example(i)
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			c := &Case{Case: casefile.Case{Reply: r.name, Text: r.body, Before: Tree{"d/plain.txt": {Data: "one\n", Mode: 0o644}}}}
			if len(r.path) < 200 && filepath.IsLocal(r.path) && filepath.Dir(r.path) == "d" {
				c.Before[r.path] = File{Data: "one\n" + r.find + "\n", Mode: 0o644}
			}
			shownByCLI(t, c, r)
			shownByMCP(t, c)
			if shownByLSP(t, c) {
				applied++
			}
		})
	}
	if applied < rounds/10 {
		t.Errorf("of %d replies only %d were applied", rounds, applied)
	}
}

func shownByCLI(t *testing.T, c *Case, r hostileReply) {
	dir, reply := setUp(t, c)
	for _, args := range [][]string{
		{"check", reply}, {"check", "--json", reply}, {"check", "--feedback", reply}, {"apply", reply}, {"apply", "--json", "--yes", "--fix", reply}, {"apply", "--yes", reply},
		{"convert", "--to", "ap", "--json", reply}, {"history"}, {"history", "--json"}, {"revert"}, {"revert", "--merge", "--json"}, {"files", "list"}, {"files", "put", "--over", "0", r.path},
		{"check", r.to}, {r.label}, {"apply", "--" + r.label}, {"revert", r.label}, {"check", "--format", r.label}, {"convert", "--to", r.label},
	} {
		var out, errs bytes.Buffer
		if args[0] != r.label && !strings.HasPrefix(strings.Join(args, " "), "apply --"+r.label) {
			args = append(args, "--root", dir)
		}
		cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, StateDir: stateOf(dir)}, "test")
		for _, shown := range []string{out.String(), errs.String()} {
			if hides(shown) || !slices.Contains(args, "--json") && !slices.Contains(args, "--feedback") && escape.Report(shown) != shown {
				t.Errorf("aptix %q prints %q", args, shown)
			}
		}
	}
}

// hides reports whether a text has a character that hides or reorders others, or that
// controls a terminal. Line breaks are allowed.
func hides(s string) bool { return escape.Text(s) != s }

func shownByMCP(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	session := startAgent(t, mcp.Config{Version: "test", Log: zap.NewNop(), StateDir: t.TempDir(), Roots: []string{dir}, AllowApply: true})
	for _, tool := range []string{"aptix_check", "aptix_apply"} {
		called, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: map[string]any{"text": c.Text}})
		if err != nil {
			t.Fatal(err)
		}
		answer := called.Content[0].(*sdk.TextContent).Text
		var parts protocol.ToolResult
		if err := json.Unmarshal([]byte(answer), &parts); err != nil {
			t.Fatal(err)
		}
		if hides(answer) {
			t.Errorf("%s answers %q", tool, answer)
		}
		for _, m := range append(parts.Errors, parts.Warnings...) {
			if strings.Contains(m.Message, "](") {
				t.Errorf("%s answers %q", tool, m.Message)
			}
		}
	}
}

// shownByLSP requests everything that an editor shows, and checks it. It reports whether the
// reply was applied.
func shownByLSP(t *testing.T, c *Case) bool {
	dir, _ := setUp(t, c)
	client := startEditor(t, c, dir, t.TempDir(), 0)
	client.Choose = func(question *lsp.ShowMessageRequestParams) string { return question.Actions[0].Title }
	client.AwaitDiagnostics(replyURI(c), func([]lsp.Diagnostic) bool { return true })
	u := client.Editor.URI(replyURI(c))
	doc := lsp.TextDocumentIdentifier{URI: u}
	call := func(method string, params any) (raw json.RawMessage) {
		t.Helper()
		if err := client.Call(method, params, &raw); err != nil && unsafeMessage(err.Error()) {
			t.Errorf("%s: %q", method, err)
		}
		checkShown(t, method, raw)
		return raw
	}
	call(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: doc})
	call(lsp.MethodTextDocumentDocumentSymbol, &lsp.DocumentSymbolParams{TextDocument: doc})
	call(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{TextDocument: doc, Range: lsp.Range{End: lsp.Position{Line: 1000}}})
	for i, line := range strings.Split(c.Text, "\n") {
		for at := 0; at < len(line); at += 7 {
			where := lsp.TextDocumentPositionParams{TextDocument: doc, Position: lsp.Position{Line: uint32(i), Character: uint32(at)}}
			call(lsp.MethodTextDocumentHover, &lsp.HoverParams{TextDocumentPositionParams: where})
		}
	}
	target := asArgument(t, protocol.Target{URI: string(u)})
	call(protocol.MethodPreview, protocol.Target{URI: string(u)})
	result := call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandApply, Arguments: target})
	call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandRevert, Arguments: asArgument(t, protocol.RevertParams{ID: "[a](command:x)\u202e"})})
	call(protocol.MethodHistory, protocol.HistoryParams{})
	call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandRevert, Arguments: asArgument(t, protocol.RevertParams{})})
	for _, method := range []string{lsp.MethodTextDocumentPublishDiagnostics, lsp.MethodWindowShowMessage, lsp.MethodWindowShowMessageRequest, protocol.MethodStatus, lsp.MethodProgress} {
		for _, raw := range client.Received(method) {
			checkShown(t, method, raw)
		}
	}
	var applied protocol.ApplyResult
	_ = json.Unmarshal(result, &applied)
	return applied.Applied
}

func asArgument(t *testing.T, v any) []lsp.LSPAny {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return []lsp.LSPAny{raw}
}

// forPeople lists the members of messages that editors show verbatim. All others are data:
// paths, URIs, contents and edits.
var forPeople = map[string]bool{"message": true, "title": true, "label": true, "detail": true, "name": true, "value": true, "question": true, "agent": true, "lasting": true, "why": true, "documentation": true}

// checkShown checks the texts for people in a message of the language server.
func checkShown(t *testing.T, method string, raw json.RawMessage) {
	t.Helper()
	if len(raw) == 0 {
		return
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	walk("", value, func(key, s string) {
		switch {
		case !forPeople[key]:
		case hides(s), key == "title" && strings.Contains(strings.ReplaceAll(s, `\$(`, ""), "$("):
			t.Errorf("%s has the %s %q", method, key, s)
		case key == "value" && linksIn(s):
			t.Errorf("%s has the Markdown %q", method, s)
		case key != "value" && unsafeMessage(s) && key == "message":
			t.Errorf("%s has the message %q", method, s)
		}
	})
}

// unsafeMessage reports whether VS Code would show hidden characters or a link for a
// notification.
func unsafeMessage(s string) bool { return hides(s) || strings.Contains(s, "](") }

func walk(key string, v any, each func(key, s string)) {
	switch v := v.(type) {
	case string:
		each(key, v)
	case []any:
		for _, e := range v {
			walk(key, e, each)
		}
	case map[string]any:
		for k, e := range v {
			walk(k, e, each)
		}
	}
}

// linksIn reports whether Markdown has a link, an image or HTML.
func linksIn(markdown string) bool {
	found := false
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(markdown)))
	_ = ast.Walk(root, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindLink, ast.KindImage, ast.KindAutoLink, ast.KindRawHTML, ast.KindHTMLBlock:
			found = true
		}
		return ast.WalkContinue, nil
	})
	return found
}
