package lspserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// marked opens a patch in a reply, below some text, and removes the mark ‸.
func marked(t *testing.T, c *lsptest.Client, language, patch string) lsp.Position {
	t.Helper()
	text, at := cursor(t, "Text.\n\n```"+language+"\n"+patch+"```\n")
	c.Editor.OpenText(replyURI, "markdown", text)
	return at
}

// behind inserts the mark ‸ after a piece of a text.
func behind(s, piece string) string { return strings.Replace(s, piece, piece+"‸", 1) }

func TestHoverOfAPatch(t *testing.T) {
	for _, tt := range []struct{ name, language, patch, want string }{
		{"a file", "diff", behind(editPatch, "diff --git a/a"), "modify `a.txt` +2 −2"},
		{"a hunk", "diff", behind(editPatch, "@@ -8,5"), "Applies to `a.txt`, lines 8 to 12."},
		{"a hunk that is done", "diff", behind(strings.NewReplacer("-two\n+2\n", "-zwei\n+two\n").Replace(editPatch), "@@ -1,5"), "Already applied: it is in `a.txt`, lines 1 to 5."},
		{"a hunk that does not fit", "diff", behind(strings.Replace(editPatch, "eleven", "elf", 1), "@@ -8,5"), "**error:** "},
		{"a line of a hunk", "diff", behind(editPatch, "-two"), ""},
		{"a rename", "diff", behind(renamePatch, "diff --git a/old"), "rename `old.txt` to `new/name.txt` +1 −1"},
		{"prose", "diff", editPatch + deletePatch + "‸", ""},
		{"an action", "ap", behind(apPatch, "REPL"), "`REPLACE`: Replaces the `snippet`, or the range from it to the `snippet_tail`, with the `content`. (rule A14)\n\nApplies to `a.txt`, line 2."},
		{"a directive", "ap", behind(apPatch, "snip"), "`snippet`: The whole lines to look for."},
		{"the second action", "ap", behind(apPatch[:strings.Index(apPatch, "\n2\n")], "a.txt") + "\n2\n" + apPatch[strings.Index(apPatch, "\n2\n")+3:], ""},
		{"a deletion", "ap", strings.TrimSuffix(apPatch, "DELETE\n") + "DEL‸ETE\n", "`DELETE`: Deletes the `snippet`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := serve(t, patchedTree, nil)
			p := marked(t, c, tt.language, tt.patch)
			shown, _ := hover(t, c, replyURI, p)
			if tt.want == "" && shown != "" || !strings.Contains(shown, tt.want) {
				t.Errorf("got %q, want %q", shown, tt.want)
			}
		})
	}
}

// A definition leads to a place in the current file, not in the file after earlier changes of
// the block.
func TestDefinitionOfAPatch(t *testing.T) {
	grows := strings.Replace(apPatch, "\n2\n", "\n2\n2\n2\n", 1)
	for _, tt := range []struct{ name, language, patch, want string }{
		{"a hunk", "diff", behind(editPatch, "@@ -8,5"), "a.txt 7:0"},
		{"a line of a hunk", "diff", behind(editPatch, "-eleven"), "a.txt 7:0"},
		{"the file's header", "diff", behind(editPatch, "+++ b/"), "a.txt 0:0"},
		{"a hunk of a rename", "diff", behind(renamePatch, "-b4"), "old.txt 0:0"},
		{"a new file", "diff", behind(linkPatch, "+++ "), ""},
		{"a snippet", "ap", behind(grows, "eleven"), "a.txt 10:0"},
		{"a path", "ap", behind(grows, "a.tx"), "a.txt 0:0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := serve(t, patchedTree, nil)
			p := marked(t, c, tt.language, tt.patch)
			var locations []lsp.Location
			c.MustCall(lsp.MethodTextDocumentDefinition, &lsp.DefinitionParams{TextDocumentPositionParams: place(replyURI, p)}, &locations)
			var got []string
			for _, l := range locations {
				got = append(got, fmt.Sprintf("%s %d:%d", strings.TrimPrefix(string(l.URI), string(uri.File(c.Editor.Dir))+"/"), l.Range.Start.Line, l.Range.Start.Character))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// After a rename was made, its hunks lead to the new file.
func TestDefinitionAfterARename(t *testing.T) {
	c := serve(t, map[string]string{"new/name.txt": "top\n" + renamed}, nil)
	p := marked(t, c, "diff", behind(strings.NewReplacer("@@ -1,7 +1,7 @@\n b1\n", "@@ -2,7 +2,7 @@\n b1\n").Replace(renamePatch), "-b4"))
	var locations []lsp.Location
	c.MustCall(lsp.MethodTextDocumentDefinition, &lsp.DefinitionParams{TextDocumentPositionParams: place(replyURI, p)}, &locations)
	if len(locations) != 1 || !strings.HasSuffix(string(locations[0].URI), "/new/name.txt") || locations[0].Range.Start.Line != 1 {
		t.Errorf("got %+v", locations)
	}
}

func TestSymbolsOfAPatch(t *testing.T) {
	c := serve(t, patchedTree, nil)
	c.Capabilities = lsp.ClientCapabilities{}
	openReply(c, "Text.\n\n"+diffBlock(editPatch, renamePatch)+"\n```ap\n"+apPatch+"```\n")
	var all []lsp.SymbolInformation
	c.MustCall(lsp.MethodTextDocumentDocumentSymbol, &lsp.DocumentSymbolParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &all)
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprintf("%d-%d %s", s.Location.Range.Start.Line, s.Location.Range.End.Line, s.Name))
	}
	same(t, got, "2-36 Aptix patch", "3-19 a.txt", "6-12 @@ -1,5 +1,5 @@", "13-19 @@ -8,5 +8,5 @@ seven", "20-35 old.txt", "27-35 @@ -1,7 +1,7 @@",
		"38-63 Aptix patch", "42-54 a.txt", "44-48 REPLACE", "50-54 REPLACE", "56-58 made", "60-62 deep")
}

func TestFolding(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, "Text.\n\n"+diffBlock(editPatch, deletePatch)+"```json\n{}\n```\n")
	var folds []lsp.FoldingRange
	c.MustCall(lsp.MethodTextDocumentFoldingRange, &lsp.FoldingRangeParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &folds)
	var got []string
	for _, f := range folds {
		got = append(got, fmt.Sprintf("%d-%d", f.StartLine, f.EndLine))
	}
	same(t, got, "3-19", "6-12", "13-19", "20-26", "25-26")
}

func TestCompletionOfAP(t *testing.T) {
	const some = "FILE REPLACE INSERT_AFTER INSERT_BEFORE DELETE CREATE RENAME snippet snippet_tail anchor content include_leading_blank_lines include_trailing_blank_lines"
	for _, tt := range []struct{ name, patch, want, accept, after string }{
		{"behind the ID", "0a1b2c3d AP 3.1\n0a1b2c3d ‸\n", some, "FILE", "0a1b2c3d AP 3.1\n0a1b2c3d FILE\n"},
		{"a word that is begun", "0a1b2c3d AP 3.1\n0a1b2c3d RE‸\n", some, "REPLACE", "0a1b2c3d AP 3.1\n0a1b2c3d REPLACE\n"},
		{"a line that is begun", "0a1b2c3d AP 3.1\n0a1‸\n", some, "DELETE", "0a1b2c3d AP 3.1\n0a1b2c3d DELETE\n"},
		{"an empty line", "0a1b2c3d AP 3.1\n‸\n", some, "snippet", "0a1b2c3d AP 3.1\n0a1b2c3d snippet\n"},
		{"version 3.2", "0a1b2c3d AP 3.2\n0a1b2c3d E‸\n", strings.Replace(some, "CREATE", "CREATE RECREATE", 1) + " scope_end END", "END", "0a1b2c3d AP 3.2\n0a1b2c3d END\n"},
		{"content", "0a1b2c3d AP 3.1\nx = 1‸\n", "", "", ""},
		{"another ID", "0a1b2c3d AP 3.1\n11111111 R‸\n", "", "", ""},
		{"behind an argument", "0a1b2c3d AP 3.1\n0a1b2c3d FILE L‸\n", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, document := range []string{replyURI, "untitled:x.ap"} {
				c := serve(t, nil, nil)
				before, after := "Text.\n\n```ap\n", "```\n"
				if document != replyURI {
					before, after = "", ""
				}
				text, p := cursor(t, before+tt.patch+after)
				c.Editor.OpenText(document, "markdown", text)
				list := complete(c, document, p)
				if got := labels(list); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				i := slices.IndexFunc(list.Items, func(i lsp.CompletionItem) bool { return i.Label == tt.accept })
				if i < 0 {
					continue
				}
				c.Editor.Type(document, *list.Items[i].TextEdit.(*lsp.TextEdit))
				if got, _ := c.Editor.Text(document); got != before+tt.after+after {
					t.Errorf("accepted: %q", got)
				}
			}
		})
	}
}

// If a patch has no header, completion offers one with a new ID.
func TestCompletionOfAPHeader(t *testing.T) {
	c := serve(t, nil, func(c *lsptest.Client) {
		yes := true
		c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{Completion: &lsp.CompletionClientCapabilities{
			CompletionItem: &lsp.ClientCompletionItemOptions{SnippetSupport: &yes}}}
	})
	c.Editor.OpenText("untitled:x.ap", "aptix-ap", "")
	list := complete(c, "untitled:x.ap", lsp.Position{})
	if len(list.Items) != 1 {
		t.Fatalf("got %+v", list)
	}
	edit := list.Items[0].TextEdit.(*lsp.TextEdit).NewText
	id, rest, _ := strings.Cut(edit, " ")
	if len(id) != 8 || rest != "AP 3.1\n\n"+id+" FILE\n$1" {
		t.Errorf("got %q", edit)
	}
}

// Blocks in text that a patch adds to files are not blocks of the reply.
func TestPatchDocumentHoldsNoOtherBlocks(t *testing.T) {
	c := serve(t, nil, nil)
	c.Editor.WriteDisk("x.patch", "diff --git a/r.md b/r.md\nnew file mode 100644\n--- /dev/null\n+++ b/r.md\n@@ -0,0 +1,3 @@\n+```json\n+{\"root\": \".\", \"files\": [{\"path\": \"x\", \"content\": \"\"}]}\n+```\n")
	c.Editor.Open("x.patch", "diff")
	var r protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: string(c.Editor.URI("x.patch"))}, &r)
	if len(r.Files) != 1 || !strings.HasSuffix(r.Files[0].Resource, "/r.md") {
		t.Errorf("got %+v", r)
	}
}
