package lspserver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// A reply was made for the text madeFor, which contains the passage forSecond. The file now has the text nowThere.
// Merging the reply's change into that text gives asMerged.
const (
	madeFor   = "import os\n\n\ndef first():\n    return load(1)\n\n\ndef second():\n    return load(2)\n"
	nowThere  = "import os\n\n\ndef first(path):\n    return load(1)\n\n\ndef second():\n    return load(2)\n"
	asMerged  = "import os\n\n\ndef first(path):\n    return load(1)\n\n\ndef second():\n    return load(3)\n"
	forSecond = "def first():\n    return load(1)\n\n\ndef second():\n    return load(2)\n"
)

// older holds replies, in each format, that were made for madeFor.
var older = map[string]string{
	"bundle": bundle(patch("a.py", forSecond, strings.Replace(forSecond, "2", "3", 1))),
	"structured": fence(`{"root": ".", "patches": [{"path": "a.py", "replacements": [{"find": ` + quote(forSecond) + `, "replace": ` +
		quote(strings.Replace(forSecond, "2", "3", 1)) + `}]}]}`),
	"git": "```diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n def first():\n     return load(1)\n \n \n def second():\n-    return load(2)\n+    return load(3)\n```\n",
	"ap": "```ap\n7d3f91ce AP 3.2\n7d3f91ce FILE\na.py\n7d3f91ce REPLACE\n7d3f91ce snippet\n" + forSecond + "7d3f91ce content\n" +
		strings.Replace(forSecond, "2", "3", 1) + "7d3f91ce END\n```\n",
	"SEARCH/REPLACE": "a.py\n```python\n<<<<<<< SEARCH\n" + forSecond + "=======\n" + strings.Replace(forSecond, "2", "3", 1) + ">>>>>>> REPLACE\n```\n\nDone.\n",
	"in a list":      "- Change it:\n\n  ```diff\n  --- a/a.py\n  +++ b/a.py\n  @@ -4,6 +4,6 @@\n   def first():\n       return load(1)\n   \n   \n   def second():\n  -    return load(2)\n  +    return load(3)\n  ```\n",
}

// mergeAction returns the action that offers to merge, or nil.
func mergeAction(c *lsptest.Client) *lsp.CodeAction {
	for _, a := range actions(c) {
		if strings.HasPrefix(a.Title, "Merge with the text of ") {
			return &a
		}
	}
	return nil
}

// merges accepts the offer to merge, whose title must contain title, and then applies the reply.
func merges(t *testing.T, c *lsptest.Client, title string) {
	t.Helper()
	a := mergeAction(c)
	if a == nil || !strings.Contains(a.Title, title) || *a.IsPreferred || len(a.Diagnostics) != 1 {
		t.Fatalf("the offer is %+v, not %q", a, title)
	}
	for _, e := range a.Edit.DocumentChanges[0].(*lsp.TextDocumentEdit).Edits {
		c.Editor.Type(replyURI, *e.(*lsp.TextEdit))
	}
	if r := apply(t, c, nil); !r.Verified {
		t.Errorf("not applied: %+v", r)
	}
	shows(t, c, map[string]string{"a.py": asMerged})
}

func inGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	needs.Program(t, "git")
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func TestOffersToMerge(t *testing.T) {
	for format, reply := range older {
		t.Run(format, func(t *testing.T) {
			c := serve(t, map[string]string{"a.py": madeFor}, nil)
			inGit(t, c.Editor.Dir, "init", "-q")
			inGit(t, c.Editor.Dir, "add", "-A")
			inGit(t, c.Editor.Dir, "commit", "-q", "-m", "a commit")
			c.Editor.WriteDisk("a.py", nowThere)
			inGit(t, c.Editor.Dir, "add", "-A")
			inGit(t, c.Editor.Dir, "commit", "-q", "-m", "another commit")
			openReply(c, reply)
			if r := apply(t, c, nil); r.Applied {
				t.Fatalf("applied as it is: %+v", r)
			}
			merges(t, c, ", just now")
		})
	}
}

func TestOffersToMergeByTheHistory(t *testing.T) {
	c := serve(t, map[string]string{"a.py": madeFor}, nil)
	openReply(c, bundle(patch("a.py", "def first():", "def first(path):")))
	if r := apply(t, c, nil); !r.Verified {
		t.Fatalf("got %+v", r)
	}
	c.Editor.SaveAll()
	c.Editor.Close(replyURI)
	openReply(c, older["bundle"])
	merges(t, c, "the earlier change ")
}

func TestOffersToMergeWithUnsavedText(t *testing.T) {
	c := serve(t, map[string]string{"a.py": madeFor}, nil)
	c.Editor.Open("a.py", "python")
	c.Editor.Type("a.py", lsp.TextEdit{Range: lsp.Range{Start: lsp.Position{Line: 3, Character: 10}, End: lsp.Position{Line: 3, Character: 10}}, NewText: "path"})
	openReply(c, older["structured"])
	merges(t, c, "the saved file")
}

func messages(ds []lsp.Diagnostic) string {
	var all []string
	for _, d := range ds {
		all = append(all, string(d.Message.(lsp.String)))
	}
	return strings.Join(all, "\n")
}

// No merge is offered if it would conflict, if the file already has the change, or if no earlier text contains the
// passage.
func TestOffersNoMerge(t *testing.T) {
	for name, now := range map[string]string{"conflict": strings.Replace(nowThere, "load(2)", "load(4)", 1), "already there": asMerged} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, map[string]string{"a.py": madeFor}, nil)
			c.Editor.Open("a.py", "python")
			c.Editor.Type("a.py", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 99}}, NewText: now})
			openReply(c, older["git"])
			if a := mergeAction(c); a != nil {
				t.Errorf("offered is %q", a.Title)
			}
			if name == "conflict" { // the diagnostic gives this reason
				const why = "; no merge is offered: a.py: this change was made for the text of the saved file, but line 9 of the file has changed since"
				c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return strings.Contains(messages(ds), why) })
				c.Editor.Type("a.py", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 99}}, NewText: nowThere})
				mergeAction(c)
				c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return !strings.Contains(messages(ds), "no merge") })
			}
		})
	}
	t.Run("no earlier text", func(t *testing.T) {
		c := serve(t, map[string]string{"a.py": nowThere}, nil)
		openReply(c, older["git"])
		if a := mergeAction(c); a != nil {
			t.Errorf("offered is %q", a.Title)
		}
	})
}

// If git hangs, other calls are not delayed, and the call that waits for git can be cancelled.
func TestSearchForEarlierTextIsCancelled(t *testing.T) {
	c := serve(t, map[string]string{"a.py": nowThere}, nil)
	inGit(t, c.Editor.Dir, "init", "-q")
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	script := "#!/bin/sh\ncase \"$*\" in *log*) : > '" + started + "'; exec sleep 600;; esac\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	openReply(c, older["git"])
	waiting := c.Go(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{
		TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}, Range: lsp.Range{End: lsp.Position{Line: 99}},
		Context: lsp.CodeActionContext{Diagnostics: []lsp.Diagnostic{}},
	})
	for _, err := os.Stat(started); err != nil; _, err = os.Stat(started) {
		lenses(t, c)
	}
	lenses(t, c)
	waiting.Cancel()
	wantCode(t, waiting.Wait(nil), requestCancelled)
}
