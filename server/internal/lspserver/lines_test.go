package lspserver_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// linePatch returns a patch that replaces line 2 of a.txt, whose content must be before. The
// editor's name for the folder is "workspace".
func linePatch(before string) string {
	sum := sha256.Sum256([]byte(before))
	return fence(fmt.Sprintf(`{
  "files": [{
    "docPath": "workspace/a.txt",
    "originalSha256": "%s",
    "changes": [{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["two"], "newLines": ["2"]}]
  }]
}`, hex.EncodeToString(sum[:])))
}

// A line patch changes the open text, whether it is saved or not (rule R29).
func TestLinePatchOnUnsavedText(t *testing.T) {
	c := serve(t, tree, nil)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})

	openReply(c, linePatch(tree["a.txt"]))
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool {
		return len(ds) == 1 && fmt.Sprint(ds[0].Code) == fmt.Sprint(lsp.String(diag.SHA256Mismatch))
	})
	if r := apply(t, c, nil); r.Applied || !strings.Contains(r.Message, "originalSha256") {
		t.Errorf("a patch for what is saved: %+v", r)
	}

	open, _ := c.Editor.Text("a.txt")
	for _, a := range actions(c) {
		if a.Title != "Rebase onto the current text" {
			continue
		}
		for _, e := range a.Edit.DocumentChanges[0].(*lsp.TextDocumentEdit).Edits {
			c.Editor.Type(replyURI, *e.(*lsp.TextEdit))
		}
	}
	if r := apply(t, c, nil); !r.Verified {
		t.Fatalf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": strings.Replace(open, "two", "2", 1)})
	if again := apply(t, c, nil); again.Applied || !again.Verified {
		t.Errorf("the second time: %+v", again)
	}
}

// If the editor's name for a folder differs from the name of the directory, docPaths can use
// both.
func TestDocPathNames(t *testing.T) {
	c := serve(t, tree, nil)
	base := strings.ToLower(filepath.Base(c.Editor.Dir))
	openReply(c, strings.Replace(linePatch(tree["a.txt"]), "workspace/", base+"/", 1))
	if r := apply(t, c, nil); !r.Verified {
		t.Errorf("got %+v", r)
	}
}
