package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// cell returns the URI that VS Code gives a cell of a notebook.
func cell(c *lsptest.Client, notebook, id string) string {
	return strings.Replace(string(c.Editor.URI(notebook)), "file://", "vscode-notebook-cell:", 1) + "#" + id + "sZmlsZQ%3D%3D"
}

// A reply can be in a cell, as in any document. It belongs to the folder of the notebook.
func TestReplyInCell(t *testing.T) {
	c, asked := twoFolders(t, "")
	reply := cell(c, "two/a.ipynb", "W0")
	c.Editor.OpenText(reply, "markdown", bundle(replace("both.txt", "b\n")))
	var found []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: c.Editor.URI(reply)}}, &found)
	if len(found) < 2 || found[1].Command.Title != "Apply Aptix bundle" {
		t.Errorf("lenses: %+v", found)
	}
	if r := applyIn(t, c, reply, nil); !r.Applied || !r.Verified || len(*asked) > 0 {
		t.Fatalf("asked %v, got %+v", *asked, r)
	}
	shows(t, c, map[string]string{"one/both.txt": "a\n", "two/both.txt": "b\n"})
}

// The editor may save its own cells over a change of the notebook's file.
func TestOpenNotebookAsks(t *testing.T) {
	const before, after = `{"cells": [], "nbformat": 4}` + "\n", `{"cells": [], "nbformat": 5}` + "\n"
	for _, answer := range []string{"Apply", "Cancel"} {
		question := ""
		c := serve(t, map[string]string{"a.ipynb": before}, func(c *lsptest.Client) {
			c.Choose = func(p *lsp.ShowMessageRequestParams) string { question = p.Message; return answer }
		})
		openReply(c, bundle(patch("a.ipynb", ": 4", ": 5")))
		c.Editor.OpenText(cell(c, "a.ipynb", "W1"), "python", "print(1)")
		if r := apply(t, c, nil); r.Applied != (answer == "Apply") || !strings.Contains(question, "a.ipynb is open as a notebook") {
			t.Errorf("asked %q, got %+v", question, r)
		}
		shows(t, c, map[string]string{"a.ipynb": map[string]string{"Apply": after, "Cancel": before}[answer]})
	}
}
