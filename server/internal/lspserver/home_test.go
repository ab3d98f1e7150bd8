package lspserver_test

import (
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// twoFolders starts an editor with the workspace folders one and two. The person answers each
// question with the button that `choose` names; `asked` records the buttons of each question.
func twoFolders(t *testing.T, choose string) (c *lsptest.Client, asked *[][]string) {
	asked = new([][]string)
	c = serve(t, map[string]string{"one/both.txt": "a\n", "one/first.txt": "a\n", "two/both.txt": "a\n", "two/second.txt": "a\n"}, func(c *lsptest.Client) {
		c.NoFolder = true
		c.Choose = func(p *lsp.ShowMessageRequestParams) string {
			var titles []string
			for _, a := range p.Actions {
				titles = append(titles, a.Title)
			}
			*asked = append(*asked, titles)
			return choose
		}
	})
	c.Notify(lsp.MethodWorkspaceDidChangeWorkspaceFolders, &lsp.DidChangeWorkspaceFoldersParams{Event: lsp.WorkspaceFoldersChangeEvent{Added: []lsp.WorkspaceFolder{
		{URI: c.Editor.URI("one"), Name: "one"}, {URI: c.Editor.URI("two"), Name: "two"},
	}}})
	return c, asked
}

// A reply outside all folders belongs to the folder that has most of its files.
func TestHomeByPaths(t *testing.T) {
	for name, test := range map[string]struct{ reply, changed string }{
		"first":    {bundle(patch("first.txt", "a", "b")), "one/first.txt"},
		"second":   {bundle(patch("both.txt", "a", "b"), patch("second.txt", "a", "b")), "two/second.txt"},
		"docPath":  {fence(`{"files": [{"docPath": "two/second.txt", "originalSha256": "` + sumOf("a\n") + `", "changes": [{"operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["a"], "newLines": ["b"]}]}]}`), "two/second.txt"},
		"new file": {bundle(create("new.txt", "b\n"), patch("second.txt", "a", "b")), "two/second.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			c, asked := twoFolders(t, "")
			openReply(c, test.reply)
			if r := apply(t, c, nil); !r.Applied || !r.Verified || len(*asked) > 0 {
				t.Fatalf("asked %v, got %+v", *asked, r)
			}
			shows(t, c, map[string]string{test.changed: "b\n"})
			var last protocol.History
			c.MustCall(protocol.MethodHistory, protocol.HistoryParams{URI: replyURI}, &last)
			if len(last.Entries) != 1 {
				t.Errorf("the history of the reply's folder has %+v", last.Entries)
			}
		})
	}
}

// A reply belongs to the folder that contains its document, whichever files other folders
// have.
func TestHomeOfDocument(t *testing.T) {
	c, asked := twoFolders(t, "")
	c.Editor.OpenText("one/reply.md", "markdown", bundle(create("second.txt", "b\n")))
	if r := applyIn(t, c, string(c.Editor.URI("one/reply.md")), nil); !r.Applied || len(*asked) > 0 {
		t.Fatalf("asked %v, got %+v", *asked, r)
	}
	shows(t, c, map[string]string{"one/second.txt": "b\n", "two/second.txt": "a\n"})
}

// If the files do not decide, the person is asked, once for each document.
func TestHomeIsAsked(t *testing.T) {
	for name, reply := range map[string]string{
		"both": bundle(patch("both.txt", "a", "b")),
		"new":  bundle(create("new.txt", "b\n")),
	} {
		t.Run(name, func(t *testing.T) {
			c, asked := twoFolders(t, "two")
			openReply(c, reply)
			var preview protocol.PreviewResult
			c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &preview)
			if len(preview.Files) != 1 || !strings.Contains(preview.Files[0].Resource, "/two/") {
				t.Errorf("the preview shows %+v", preview)
			}
			if r := apply(t, c, nil); !r.Applied {
				t.Fatalf("got %+v", r)
			}
			if len(*asked) != 1 || !slices.Equal((*asked)[0], []string{"one", "two"}) {
				t.Errorf("asked %v", *asked)
			}
			shows(t, c, map[string]string{"one/both.txt": "a\n", "one/new.txt": ""})
		})
	}
}

func TestHomeIsNotChosen(t *testing.T) {
	c, _ := twoFolders(t, "")
	openReply(c, bundle(patch("both.txt", "a", "b")))
	if r := apply(t, c, nil); r.Applied || r.Message != "Not applied: no folder was chosen" {
		t.Errorf("got %+v", r)
	}
	var preview protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &preview)
	if len(preview.Files) > 0 || preview.Message != "No folder was chosen" {
		t.Errorf("the preview shows %+v", preview)
	}
	shows(t, c, map[string]string{"one/both.txt": "a\n", "two/both.txt": "a\n"})
}

// After an untitled document is closed, the editor gives its name to the next untitled document. The person's answer
// for the first document does not hold for the next one. An answer for a text holds for that text.
func TestHomeIsForgotten(t *testing.T) {
	c, asked := twoFolders(t, "two")
	text := bundle(create("new.txt", "b\n"))
	for range 2 {
		c.MustCall(protocol.MethodPreview, protocol.Target{Text: &text}, nil)
	}
	if len(*asked) != 1 {
		t.Errorf("asked %v for a text", *asked)
	}
	for range 2 {
		openReply(c, text)
		c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, nil)
		c.Editor.Close(replyURI)
	}
	if len(*asked) != 3 {
		t.Errorf("asked %v", *asked)
	}
}

// A reply in a folder that is not on a disk is refused, and is not applied to another folder.
func TestVirtualFolder(t *testing.T) {
	const folder = "vscode-vfs://github/someone/something"
	for _, local := range []bool{false, true} {
		c, _ := twoFolders(t, "")
		if !local {
			c = serve(t, nil, func(c *lsptest.Client) { c.NoFolder = true })
		}
		c.Notify(lsp.MethodWorkspaceDidChangeWorkspaceFolders, &lsp.DidChangeWorkspaceFoldersParams{Event: lsp.WorkspaceFoldersChangeEvent{Added: []lsp.WorkspaceFolder{
			{URI: folder, Name: "something"},
		}}})
		c.Editor.OpenText(folder+"/reply.md", "markdown", bundle(replace("first.txt", "b\n")))
		c.AwaitDiagnostics(folder+"/reply.md", func(ds []lsp.Diagnostic) bool {
			return len(ds) == 1 && ds[0].Code == lsp.String("no-workspace") && strings.Contains(string(ds[0].Message.(lsp.String)), "the folder "+folder+" is not on a disk of this machine")
		})
		if r := applyIn(t, c, folder+"/reply.md", nil); r.Applied || !strings.Contains(r.Message, "not on a disk of this machine") {
			t.Errorf("got %+v", r)
		}
		shows(t, c, map[string]string{"one/first.txt": map[bool]string{true: "a\n"}[local]})
	}
}
