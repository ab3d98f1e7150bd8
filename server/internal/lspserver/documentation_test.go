package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// Documentation of other tools' formats may show such blocks: one could be applied, and one has an error.
const (
	searchReplace = "a.txt\n```\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n```\n\n"
	beginPatch    = "```\n*** Begin Patch\n*** Update File: missing.txt\n@@\n-x\n+y\n*** End Patch\n```\n\n"
)

// documented starts an editor over a repository, and opens docs.md, which has the text shown.
// docs.md is in the last commit, or only in the index.
func documented(t *testing.T, shown string, committed bool, set func(*lsptest.Client)) *lsptest.Client {
	t.Helper()
	c := serve(t, map[string]string{"a.txt": "one\n", "docs.md": shown}, set)
	inGit(t, c.Editor.Dir, "init", "-q")
	inGit(t, c.Editor.Dir, "add", "-A")
	if committed {
		inGit(t, c.Editor.Dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "First")
	}
	c.Editor.Open("docs.md", "markdown")
	return c
}

// commandsOf returns the targets of a document's Apply lenses, in order.
func commandsOf(t *testing.T, c *lsptest.Client, path string) string {
	t.Helper()
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: c.Editor.URI(path)}}, &all)
	var out []string
	for _, l := range all {
		if l.Command.Command == protocol.CommandApply {
			out = append(out, string(l.Command.Arguments[0]))
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), string(c.Editor.URI(path)), path)
}

func actionsIn(c *lsptest.Client, path string) int {
	var all []lsp.CodeAction
	c.MustCall(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{TextDocument: lsp.TextDocumentIdentifier{URI: c.Editor.URI(path)},
		Range: lsp.Range{End: lsp.Position{Line: 99}}, Context: lsp.CodeActionContext{Diagnostics: []lsp.Diagnostic{}}}, &all)
	return len(all)
}

const allOfBoth = `{"uri":"docs.md","block":null} {"uri":"docs.md","block":1} {"uri":"docs.md","block":2}`

func TestDocumentationShowsNoGuests(t *testing.T) {
	c := documented(t, searchReplace+beginPatch, true, nil)
	if ds := c.AwaitDiagnostics("docs.md", func([]lsp.Diagnostic) bool { return true }); len(ds) != 0 {
		t.Errorf("diagnostics: %+v", ds)
	}
	if got := commandsOf(t, c, "docs.md"); got != "" || actionsIn(c, "docs.md") != 0 {
		t.Errorf("lenses %s, %d actions", got, actionsIn(c, "docs.md"))
	}
	// A document is applied if the person asks for it explicitly.
	if r := applyIn(t, c, string(c.Editor.URI("docs.md")), new(1)); !r.Applied {
		t.Errorf("the apply: %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "1\n"})
}

func TestNewRepliesShowGuests(t *testing.T) {
	for name, path := range map[string]string{"not committed": "docs.md", "untitled": "untitled:docs.md"} {
		t.Run(name, func(t *testing.T) {
			c := documented(t, searchReplace+beginPatch, false, nil)
			c.Editor.OpenText("untitled:docs.md", "markdown", searchReplace+beginPatch)
			c.AwaitDiagnostics(path, func(ds []lsp.Diagnostic) bool { return len(ds) > 0 })
			if got := commandsOf(t, c, path); strings.ReplaceAll(got, "untitled:", "") != allOfBoth || actionsIn(c, path) == 0 {
				t.Errorf("lenses %s, %d actions", got, actionsIn(c, path))
			}
		})
	}
}

func TestSettingShowsGuests(t *testing.T) {
	c := documented(t, searchReplace+beginPatch, true, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"check": "all"}}
	})
	c.AwaitDiagnostics("docs.md", func(ds []lsp.Diagnostic) bool { return len(ds) > 0 })
	if got := commandsOf(t, c, "docs.md"); got != allOfBoth {
		t.Errorf("lenses %s", got)
	}
}

// A request for a check covers one document, with all text that is typed later, until the document is closed.
func TestCheckThisDocumentShowsGuests(t *testing.T) {
	c := documented(t, searchReplace+beginPatch, true, nil)
	uri := c.Editor.URI("docs.md")
	if err := command(c, protocol.CommandCheck, protocol.Target{URI: string(uri)}, nil); err != nil {
		t.Fatal(err)
	}
	c.AwaitDiagnostics("docs.md", func(ds []lsp.Diagnostic) bool { return len(ds) > 0 })
	c.Editor.Type("docs.md", lsp.TextEdit{NewText: "Hello\n\n"})
	if got := commandsOf(t, c, "docs.md"); got != allOfBoth {
		t.Errorf("lenses %s", got)
	}
	c.Editor.Close("docs.md")
	c.Editor.Open("docs.md", "markdown")
	if got := commandsOf(t, c, "docs.md"); got != "" {
		t.Errorf("opened again: lenses %s", got)
	}
	if err := command(c, protocol.CommandCheck, protocol.Target{URI: "untitled:none"}, nil); err == nil {
		t.Error("a document that is not open was checked")
	}
}

// If the person asks for a check of a source file, the file counts as a reply.
func TestCheckThisSourceFile(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n", "doc.go": searchReplace}, nil)
	c.Editor.Open("doc.go", "go")
	if got := commandsOf(t, c, "doc.go"); got != "" {
		t.Errorf("lenses %s", got)
	}
	if err := command(c, protocol.CommandCheck, protocol.Target{URI: string(c.Editor.URI("doc.go"))}, nil); err != nil {
		t.Fatal(err)
	}
	if got := commandsOf(t, c, "doc.go"); got != `{"uri":"doc.go","block":1}` {
		t.Errorf("lenses %s", got)
	}
}

// Blocks keep their numbers if other blocks are hidden: each lens applies the block below it, and no lens applies a
// hidden block.
func TestLensesBesideHiddenGuests(t *testing.T) {
	own := bundle(create("b.txt", "b\n"))
	c := documented(t, searchReplace+own+bundle(create("c.txt", "c\n")), true, nil)
	if got := commandsOf(t, c, "docs.md"); got != `{"uri":"docs.md","block":2} {"uri":"docs.md","block":3}` {
		t.Fatalf("lenses %s", got)
	}
	if r := applyIn(t, c, string(c.Editor.URI("docs.md")), new(2)); !r.Applied {
		t.Errorf("the apply: %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "c.txt": ""})
}

// wrongHere is a block with an error, like many blocks in documentation.
const wrongHere = "```diff\n--- a/missing.txt\n+++ b/missing.txt\n@@ -1 +1 @@\n-x\n+y\n```\n"

func TestProblemsOfDocumentationAreHints(t *testing.T) {
	for set, want := range map[string]lsp.DiagnosticSeverity{"replies": lsp.DiagnosticSeverityHint, "all": lsp.DiagnosticSeverityError} {
		t.Run(set, func(t *testing.T) {
			c := documented(t, wrongHere, true, func(c *lsptest.Client) {
				c.Settings = map[string]any{"aptix": map[string]any{"check": set}}
			})
			c.AwaitDiagnostics("docs.md", func(ds []lsp.Diagnostic) bool { return len(ds) > 0 && ds[0].Severity == want })
		})
	}
}

func TestCheckOffUnderlinesOnRequest(t *testing.T) {
	c := documented(t, wrongHere, false, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"check": "off"}}
	})
	c.AwaitDiagnostics("docs.md", func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	if got := commandsOf(t, c, "docs.md"); got != `{"uri":"docs.md","block":1}` {
		t.Errorf("lenses %s", got)
	}
	if err := command(c, protocol.CommandCheck, protocol.Target{URI: string(c.Editor.URI("docs.md"))}, nil); err != nil {
		t.Fatal(err)
	}
	c.AwaitDiagnostics("docs.md", func(ds []lsp.Diagnostic) bool { return len(ds) > 0 && ds[0].Severity == lsp.DiagnosticSeverityError })
}

// A reply that is dismissed has no lenses and no problems, until the person asks for them.
func TestDismiss(t *testing.T) {
	c := serve(t, nil, nil)
	openReply(c, backslashed)
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
	if err := command(c, protocol.CommandDismiss, protocol.Target{URI: replyURI}, nil); err != nil {
		t.Fatal(err)
	}
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	if got := titles(t, c); got != "" {
		t.Errorf("lenses %s", got)
	}
	lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool { return s.Blocks == 0 })
	if err := command(c, protocol.CommandCheck, protocol.Target{URI: replyURI}, nil); err != nil {
		t.Fatal(err)
	}
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
}
