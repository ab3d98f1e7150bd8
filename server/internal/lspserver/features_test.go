package lspserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// lenses returns the lenses of the reply as "line: title [command block]".
func lenses(t *testing.T, c *lsptest.Client) []string {
	t.Helper()
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &all)
	var out []string
	for _, l := range all {
		s := fmt.Sprintf("%d: %s", l.Range.Start.Line, l.Command.Title)
		for _, a := range l.Command.Arguments {
			s += fmt.Sprintf(" [%s %s]", l.Command.Command, a)
		}
		out = append(out, s)
	}
	return out
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCodeLens(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, "Hello\n\n"+reply)
	same(t, lenses(t, c),
		`2: Preview [aptix.preview {"uri":"untitled:reply.md","block":1}]`,
		`2: Apply Aptix bundle [aptix.apply {"uri":"untitled:reply.md","block":1}]`,
		`2: 4 files +3 −3`,
		`6: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":0,"mode":"skip"}]`,
		`6: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":0,"mode":"only"}]`,
		`7: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":1,"mode":"skip"}]`,
		`7: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":1,"mode":"only"}]`,
		`8: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":2,"mode":"skip"}]`,
		`8: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":2,"mode":"only"}]`,
		`9: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":3,"mode":"skip"}]`,
		`9: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":3,"mode":"only"}]`)
	apply(t, c, nil)
	if got := lenses(t, c)[2]; got != "2: already applied" {
		t.Errorf("after the apply: %s", got)
	}
}

func TestCodeLensOfSeveral(t *testing.T) {
	c := serve(t, tree, nil)
	structured := fence(`{"root": ".", "patches": [{"path": "a.txt", "find": "one", "replace": "1", "limit": "once"}]}`)
	openReply(c, bundle(create("../x", ""), create(".git/x", ""))+structured+"```json\n{\"root\": \".\", \"files\": [{\"path\": \"x\"")
	same(t, lenses(t, c),
		`0: Apply all 3 Aptix blocks [aptix.apply {"uri":"untitled:reply.md","block":null}]`,
		`0: Preview [aptix.preview {"uri":"untitled:reply.md","block":1}]`,
		`0: Apply Aptix bundle [aptix.apply {"uri":"untitled:reply.md","block":1}]`,
		`0: Copy problems for the model [aptix.feedback {"uri":"untitled:reply.md","block":1}]`,
		`0: 2 errors`,
		`4: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":0,"mode":"skip"}]`,
		`4: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":0,"mode":"only"}]`,
		`5: Skip this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":1,"mode":"skip"}]`,
		`5: Only this file [aptix.skip {"uri":"untitled:reply.md","block":1,"part":1,"mode":"only"}]`,
		`9: Preview [aptix.preview {"uri":"untitled:reply.md","block":2}]`,
		`9: Apply Aptix patch [aptix.apply {"uri":"untitled:reply.md","block":2}]`,
		`9: 1 file +1 −1`,
		`12: incomplete`,
		`12: Copy problems for the model [aptix.feedback {"uri":"untitled:reply.md","block":3}]`)
}

func TestNoCodeLens(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"codeLens": map[string]any{"enabled": false}}}
	})
	openReply(c, reply)
	awaitSettings(c)
	c.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return len(lenses(t, c)) == 0 })
}

func TestDiagnosticsFollow(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create("a.txt", "x\n")))
	ds := c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
	d := ds[0]
	source, _ := d.Source.Get()
	if source != "aptix" || d.Code != lsp.String("file-exists") || d.Severity != lsp.DiagnosticSeverityError ||
		!strings.HasSuffix(string(d.CodeDescription.Href), "docs/diagnostics.md#file-exists") {
		t.Errorf("got %+v", d)
	}
	if d.Range.Start != (lsp.Position{Line: 4, Character: 35}) || d.Range.End != (lsp.Position{Line: 4, Character: 43}) {
		t.Errorf("range %+v", d.Range)
	}
	// If a file of the reply changes, the diagnostics of the reply change with it.
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 3}}, NewText: "x\n"})
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	c.Editor.Close("a.txt")
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
	c.Editor.Close(replyURI)
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
}

func TestSourceFilesAreNoReplies(t *testing.T) {
	c := serve(t, map[string]string{"doc.go": reply}, nil)
	c.Editor.Open("doc.go", "go")
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: c.Editor.URI("doc.go")}}, &all)
	if len(all) != 0 {
		t.Errorf("lenses in a source file: %+v", all)
	}
}

func actions(c *lsptest.Client, only ...lsp.CodeActionKind) []lsp.CodeAction {
	var all []lsp.CodeAction
	c.MustCall(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{
		TextDocument: lsp.TextDocumentIdentifier{URI: replyURI},
		Range:        lsp.Range{End: lsp.Position{Line: 99}},
		Context:      lsp.CodeActionContext{Diagnostics: []lsp.Diagnostic{}, Only: only},
	}, &all)
	return all
}

func TestCodeActions(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create(`src\x.txt`, "x\n"), create("a.txt", "x\n")))
	all := actions(c)
	var titles []string
	for _, a := range all {
		titles = append(titles, fmt.Sprintf("%s %s %v %d", *a.Kind, a.Title, a.IsPreferred != nil && *a.IsPreferred, len(a.Diagnostics)))
	}
	same(t, titles, `quickfix Write the path "src/x.txt" true 1`, `quickfix Change "create" to "replace" false 1`,
		`quickfix Copy problems for the model false 2`)
	if len(actions(c, "refactor")) != 0 {
		t.Error("quick-fixes among refactorings")
	}
	fixAll := actions(c, "source.fixAll")
	if len(fixAll) != 1 || *fixAll[0].Kind != "source.fixAll.aptix" {
		t.Fatalf("fixAll: %+v", fixAll)
	}
	edit := fixAll[0].Edit.DocumentChanges[0].(*lsp.TextDocumentEdit)
	if len(edit.Edits) != 1 || edit.Edits[0].(*lsp.TextEdit).NewText != "/" {
		t.Errorf("fixAll edits %+v", edit.Edits)
	}
}

func TestPreview(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply)
	var p protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &p)
	if p.Title != "Aptix: +3 −3" || len(p.Files) != 4 {
		t.Fatalf("got %+v", p)
	}
	for i, want := range [][2]string{{tree["a.txt"], done["a.txt"]}, {"b\n", "B\n"}, {"bye\n", ""}, {"", "new\n"}} {
		if got := [2]string{contentOf(c, p.Files[i].Left), contentOf(c, p.Files[i].Right)}; got != want {
			t.Errorf("%s: %q, want %q", p.Files[i].Resource, got, want)
		}
	}
	if p.Files[2].Right != "" || p.Files[3].Left != "" {
		t.Errorf("a side that is not there has a URI: %+v", p.Files)
	}
	shows(t, c, undo)
}

func contentOf(c *lsptest.Client, uri string) string {
	if uri == "" {
		return ""
	}
	var r protocol.ContentResult
	c.MustCall(protocol.MethodContent, protocol.ContentParams{URI: uri}, &r)
	return r.Text
}

// An editor without a preview of its own is shown a patch.
func TestPreviewCommand(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := serve(t, tree, nil)
	openReply(c, reply)
	if err := command(c, protocol.CommandPreview, protocol.Target{URI: replyURI}, nil); err != nil {
		t.Fatal(err)
	}
	lsptest.Await(c, lsp.MethodWindowShowDocument, func(p *lsp.ShowDocumentParams) bool {
		return strings.HasSuffix(string(p.URI), ".diff")
	})
}

func TestStatus(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, reply+bundle(create("../x", "")))
	s := lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool { return s.URI == replyURI })
	if *s != (protocol.Status{URI: replyURI, Reply: true, Blocks: 2, Ready: 1, Errors: 1, Text: "1 error"}) {
		t.Errorf("got %+v", *s)
	}
}

// If no folder is open, the paths of a reply name no files.
func TestNoFolder(t *testing.T) {
	c := serve(t, tree, func(c *lsptest.Client) { c.NoFolder = true })
	openReply(c, reply)
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 && ds[0].Code == lsp.String("no-workspace") })
	if r := apply(t, c, nil); r.Applied {
		t.Errorf("got %+v", r)
	}
}

func TestFeedback(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create("a.txt", "x\n"))+bundle(create("../up", "")))
	var r protocol.FeedbackResult
	if err := command(c, protocol.CommandFeedback, protocol.Target{URI: replyURI, Block: new(2)}, &r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Text, "../up goes up with") || strings.Contains(r.Text, "a.txt") {
		t.Errorf("got %s", r.Text)
	}
}

// A reply that declines the change is shown as such.
func TestDeclined(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, "Sorry.\n\nA patch cannot be safely generated with the information provided.\n")
	ds := c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
	if ds[0].Code != lsp.String("declined") || ds[0].Range.Start.Line != 2 {
		t.Errorf("got %+v", ds[0])
	}
	same(t, lenses(t, c), `2: Copy a request for a full bundle [aptix.feedback {"uri":"untitled:reply.md","block":null}]`)
	if all := actions(c); len(all) != 1 || all[0].Title != "Copy a request for a full bundle" {
		t.Errorf("actions %+v", all)
	}
	var r protocol.FeedbackResult
	if err := command(c, protocol.CommandFeedback, protocol.Target{URI: replyURI}, &r); err != nil || !strings.Contains(r.Text, "file bundle instead") {
		t.Errorf("got %+v, %v", r, err)
	}
}

// The lens of a broken block counts the entries that can be read.
func TestCodeLensOfABrokenBlock(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, fence("{\"root\": \".\", \"files\": [\n"+create("1.txt", "1")+",\n"+`{"path": "2.txt", "content": nonsense}`+",\n"+create("3.txt", "3")+"]}"))
	if got := lenses(t, c)[3]; got != "0: 1 error; 2 of 3 files can be read" {
		t.Errorf("got %s", got)
	}
}
