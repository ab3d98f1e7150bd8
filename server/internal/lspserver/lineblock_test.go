package lspserver_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	lsp "go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

var lineTree = map[string]string{"a.txt": "one\ntwo\nthree\n", "Dir/Ä b.txt": "b\n", "other.bin": "\x00\x01"}

func sumOf(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// lineBlock returns a patch of a.txt with one change.
func lineBlock(docPath, sum, change string) string {
	return fmt.Sprintf("{\n  \"batchLabel\": \"Count in digits\",\n  \"files\": [\n    {\n      \"docPath\": \"%s\",\n      \"originalSha256\": \"%s\",\n      \"changes\": [\n        %s\n      ]\n    }\n  ]\n}", docPath, sum, change)
}

const replaceTwo = `{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["two"], "newLines": ["2"]}`

func TestHoverLines(t *testing.T) {
	c := serve(t, lineTree, nil)
	sum := sumOf(lineTree["a.txt"])
	change := func(s string) string { return lineBlock("workspace/a.txt", sum, s) }
	for _, tt := range []struct {
		name, body string
		want       []string // texts that the hover must contain
		about      string
	}{
		{"a docPath", lineBlock("workspace/‸a.txt", sum, replaceTwo),
			[]string{"modify `a.txt` +1 −1\n\n", "`a.txt`, on disk, has the SHA-256\n`" + sum + "`", "The patch was made for this text."}, `"workspace/a.txt"`},
		{"a docPath of a file that is another one", lineBlock("workspace/‸a.txt", sumOf("x"), replaceTwo),
			[]string{"**error:** `originalSha256` is not the hash", "`" + sum + "`", "`originalSha256` is the hash of a different text."}, `"workspace/a.txt"`},
		{"a docPath of nothing", lineBlock("workspace/‸c.txt", sum, replaceTwo), []string{"**error:** no file of this workspace"}, `"workspace/c.txt"`},
		{"a hash", lineBlock("workspace/a.txt", "‸"+sum, replaceTwo), []string{"`a.txt`, on disk, has the SHA-256\n`" + sum + "`\n\nThe patch was made for this text."}, `"` + sum + `"`},
		{"a hash in upper case", lineBlock("workspace/a.txt", "‸"+strings.ToUpper(sum), replaceTwo), []string{"The patch was made for this text."}, `"` + strings.ToUpper(sum) + `"`},
		{"a hash of nothing", lineBlock("workspace/c.txt", "‸"+sum, replaceTwo), nil, ""},
		{"a line number", change(`{"operation": "replace", "startLine": ‸2, "endLine": 2, "expectedOriginalLines": ["two"], "newLines": ["2"]}`), []string{"Applies to `a.txt`, line 2."}, "2"},
		{"a new line", change(`{"operation": "insert", "afterLine": 1, "newLines": ["2‸"]}`), []string{"Applies to `a.txt`, line 2."}, `"2"`},
		{"a range", change(`{"operation": "delete", "startLine": 2, "endLine": 3, "expectedOriginalLines": ["two", "‸three"]}`), []string{"Applies to `a.txt`, lines 2 to 3."}, `"three"`},
		{"a line that differs", change(`{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["‸zwei"], "newLines": ["2"]}`), []string{"**error:** line 2 is \"two\""}, `"zwei"`},
		{"a name", change(`{"operation": "insert", "after‸Line": 1, "newLines": ["2"]}`), []string{"`afterLine`: The line after which"}, `"afterLine"`},
		{"the list", strings.Replace(change(replaceTwo), "files", "fi‸les", 1), []string{"`files`: The files to change, each docPath once."}, `"files"`},
		{"a label", strings.Replace(change(replaceTwo), "digits", "dig‸its", 1), nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inHosts(t, c, tt.body, func(t *testing.T, h host, document string, p lsp.Position) {
				shown, about := hover(t, c, document, p)
				for _, part := range tt.want {
					if !strings.Contains(shown, part) {
						t.Errorf("shown:\n%s\nwant a part to be\n%s", shown, part)
					}
				}
				if about != tt.about || tt.want == nil && shown != "" {
					t.Errorf("about %q: %q", about, shown)
				}
			})
		})
	}
}

// A hover describes the text of the open document.
func TestHoverLinesInBuffer(t *testing.T) {
	c := serve(t, lineTree, nil)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
	now := "zero\n" + lineTree["a.txt"]
	document, p := cursor(t, fence(lineBlock("workspace/‸a.txt", sumOf(now), strings.NewReplacer(": 2", ": 3").Replace(replaceTwo))))
	openReply(c, document)
	if shown, _ := hover(t, c, replyURI, p); !strings.Contains(shown, "`a.txt`, as it is open here, has the SHA-256\n`"+sumOf(now)+"`\n\nThe patch was made") {
		t.Error(shown)
	}
	if r := apply(t, c, nil); !r.Verified {
		t.Fatalf("%+v", r)
	}
	p.Line += 3
	p.Character += 2
	if shown, _ := hover(t, c, replyURI, p); shown != "Already applied." {
		t.Error(shown)
	}
}

func TestDefinitionLines(t *testing.T) {
	c := serve(t, lineTree, nil)
	sum := sumOf(lineTree["a.txt"])
	change := func(s string) string { return lineBlock("workspace/a.txt", sum, s) }
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"a docPath", lineBlock("workspace/‸a.txt", sum, replaceTwo), []string{"a.txt 0:0-0:0"}},
		{"a hash", lineBlock("workspace/a.txt", sum+"‸", replaceTwo), []string{"a.txt 0:0-0:0"}},
		{"a docPath of nothing", lineBlock("workspace/‸c.txt", sum, replaceTwo), nil},
		{"a docPath with capitals", lineBlock("workspace/‸A.txt", sum, replaceTwo), nil},
		{"a line", change(`{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["two"], "newLines": ["2‸"]}`), []string{"a.txt 1:0-2:0"}},
		{"a number", change(`{"operation": "delete", "startLine": 2, "endLine": ‸3, "expectedOriginalLines": ["two", "three"]}`), []string{"a.txt 1:0-3:0"}},
		{"an insertion", change(`{"operation": "insert", "afterLine": 1‸, "newLines": ["x"]}`), []string{"a.txt 1:0-1:0"}},
		{"a change that cannot be made", change(`{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["zwei‸"], "newLines": ["2"]}`), []string{"a.txt 0:0-0:0"}},
		{"a change that cannot be read", change(`{"operation": "replace", "startLine": 2, "expectedOriginalLines": ["two‸"]}`), []string{"a.txt 0:0-0:0"}},
		{"a change that is done", lineBlock("workspace/a.txt", sumOf("one\nzwei\nthree\n"), `{"operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["zwei‸"], "newLines": ["two"]}`), []string{"a.txt 1:0-2:0"}},
		{"the label", strings.Replace(change(replaceTwo), "digits", "dig‸its", 1), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inHosts(t, c, tt.body, func(t *testing.T, h host, document string, p lsp.Position) {
				if got := definitions(t, c, document, p); !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestSymbolsLines(t *testing.T) {
	c := serve(t, nil, knowsTrees)
	inHosts(t, c, `{
  "batchLabel": "Count in digits",
  "batchKey": "digits",
  "files": [
    {"docPath": "p/a.txt", "fileLabel": "the first", "originalSha256": "", "changes": [
      {"operation": "replace", "startLine": 2, "endLine": 4, "description": "two to 2"},
      {"operation": "delete", "startLine": 5, "endLine": 5},
      {"operation": "insert", "afterLine": 0}
    ]},
    {"docPath": "p/b.txt", "changes": [{}]}
  ]‸
}`, func(t *testing.T, h host, document string, _ lsp.Position) {
		all := symbols(c, document).(lsp.DocumentSymbolSlice)
		first := h.first + "```json"
		if h.name == "whole" {
			first = "{"
		}
		same(t, outlineOf(t, c, document, all, ""),
			"Count in digits (2 files) "+first,
			`  p/a.txt (the first) "p/a.txt"`,
			`    two to 2 (replace 2-4) "replace"`,
			`    delete 5 "delete"`,
			`    insert after 0 "insert"`,
			`  p/b.txt "p/b.txt"`,
			`    (nothing) `)
	})
	document, _ := cursor(t, fence(`{"batchKey": "k", "files": [{"docPath": "p/a", "changes": []}]}`)+fence(`{"files": [{"docPath": "p/a", "changes": []}]}`)+"‸")
	openReply(c, document)
	var names []string
	for _, s := range symbols(c, replyURI).(lsp.DocumentSymbolSlice) {
		names = append(names, s.Name)
	}
	same(t, names, "k", "Aptix line patch")
}

func TestCompletionLines(t *testing.T) {
	c := serve(t, lineTree, nil)
	c.Editor.Open("Dir/Ä b.txt", "plaintext")
	sum := sumOf(lineTree["a.txt"])
	all := "workspace/dir/ä b.txt workspace/a.txt workspace/other.bin"
	for _, tt := range []struct{ name, body, want, accept, after string }{
		{"a docPath", lineBlock("‸", "", ""), all, "workspace/a.txt", lineBlock("workspace/a.txt", "", "")},
		{"a docPath that is begun", lineBlock("workspace/d‸", "", ""), "workspace/dir/ä b.txt", "workspace/dir/ä b.txt", lineBlock("workspace/dir/ä b.txt", "", "")},
		{"a docPath of no open file", lineBlock("workspace/A‸", "", ""), "workspace/a.txt", "workspace/a.txt", lineBlock("workspace/a.txt", "", "")},
		{"a docPath in another folder", lineBlock("elsewhere/‸", "", ""), "", "", ""},
		{"a hash", lineBlock("workspace/a.txt", "‸", ""), sum, sum, lineBlock("workspace/a.txt", sum, "")},
		{"a hash of an open file", lineBlock("workspace/dir/ä b.txt", "‸", ""), sumOf("b\n"), "", ""},
		{"a hash of nothing", lineBlock("workspace/c.txt", "‸", ""), "", "", ""},
		{"the hash of what is no text", lineBlock("workspace/other.bin", "‸", ""), "", "", ""},
		{"behind a key", `{"batchKey": "k", ‸}`, "files! batchLabel", "files", `{"batchKey": "k", "files": []}`},
		{"behind a label", "{\n  \"batchLabel\": \"l\",\n  \"‸\"\n}", "files! batchKey", "batchKey", "{\n  \"batchLabel\": \"l\",\n  \"batchKey\": \"\"\n}"},
		{"an entry", `{"batchKey": "k", "files": [{"docPath": "p/a", "changes": []}, {"‸"}]}`, "docPath! originalSha256! changes! fileKey fileLabel", "docPath",
			`{"batchKey": "k", "files": [{"docPath": "p/a", "changes": []}, {"docPath": ""}]}`},
		{"the first entry", "{\n  \"batchKey\": \"k\",\n  \"files\": [\n    {‸}\n  ]\n}", "docPath! originalSha256! changes! fileKey fileLabel", "docPath",
			"{\n  \"batchKey\": \"k\",\n  \"files\": [\n    {\"docPath\": \"\"}\n  ]\n}"},
		{"the first docPath", `{"batchKey": "k", "files": [{"docPath": "workspace/a‸"}]}`, "workspace/a.txt", "workspace/a.txt", `{"batchKey": "k", "files": [{"docPath": "workspace/a.txt"}]}`},
		{"an insertion", lineBlock("workspace/a.txt", sum, `{"operation": "insert", "‸"}`), "afterLine! newLines! changeKey description", "afterLine",
			lineBlock("workspace/a.txt", sum, `{"operation": "insert", "afterLine": 1}`)},
		{"an operation", lineBlock("workspace/a.txt", sum, `{"operation": "‸"}`), "insert replace delete", "insert", lineBlock("workspace/a.txt", sum, `{"operation": "insert"}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inHosts(t, c, tt.body, func(t *testing.T, h host, document string, p lsp.Position) {
				list := complete(c, document, p)
				if got := labels(list); got != tt.want {
					t.Fatalf("offered %q, want %q", got, tt.want)
				}
				if tt.accept != "" {
					accept(t, c, document, p, list, tt.accept)
					if got, _ := c.Editor.Text(document); got != h.document(tt.after) {
						t.Errorf("the document is\n%s\nwant\n%s", got, h.document(tt.after))
					}
				}
			})
		})
	}
}

func TestCompletionLinesSnippets(t *testing.T) {
	yes := true
	c := serve(t, lineTree, func(c *lsptest.Client) {
		c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{Completion: &lsp.CompletionClientCapabilities{
			CompletionItem: &lsp.ClientCompletionItemOptions{SnippetSupport: &yes},
		}}
	})
	document, p := cursor(t, fence(lineBlock("workspace/a.txt", "", `{"operation": "replace", ‸}`)))
	openReply(c, document)
	var got []string
	for _, item := range complete(c, replyURI, p).Items {
		got = append(got, item.TextEdit.(*lsp.TextEdit).NewText)
	}
	same(t, got, `"startLine": ${1:1}`, `"endLine": ${1:1}`, `"expectedOriginalLines": ["$1"]`, `"newLines": ["$1"]`, `"changeKey": "$1"`, `"description": "$1"`)
}

// If a patch has one field per line, its changes can be left out one by one.
func TestLensesLines(t *testing.T) {
	c := serve(t, lineTree, nil)
	change := strings.ReplaceAll(replaceTwo, ", ", ",\n          ") + ",\n        " + `{"operation": "insert", "afterLine": 3, "newLines": ["four"]}`
	openReply(c, fence(lineBlock("workspace/a.txt", sumOf(lineTree["a.txt"]), change)))
	got := lenses(t, c)
	for i, l := range got {
		got[i], _, _ = strings.Cut(l, " [")
	}
	same(t, got, "0: Preview", "0: Apply Aptix patch", "0: 1 file +2 −1", "8: Skip this change", "8: Only this change", "13: Skip this change", "13: Only this change")
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: aptix.CommandSkip,
		Arguments: []lsp.LSPAny{mustJSON(t, aptix.SkipParams{URI: replyURI, Block: 1, Part: 1, Mode: aptix.SkipThis})}}, nil)
	r := apply(t, c, nil)
	if !r.Verified || len(r.Batches) != 1 || len(r.Batches[0].Files[0].Changes) != 1 || r.Batches[0].Files[0].Changes[0].Operation != "insert" {
		t.Errorf("%+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n"})
}

func mustJSON(t *testing.T, v any) lsp.LSPAny {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An apply returns the ids of its line patches, and a second apply returns the same ids. A
// refused apply returns none.
func TestLinePatchIDs(t *testing.T) {
	c := serve(t, lineTree, nil)
	openReply(c, fence(lineBlock("workspace/a.txt", sumOf(lineTree["a.txt"]), replaceTwo)))
	first := apply(t, c, nil)
	if !first.Applied || len(first.Batches) != 1 || first.Batches[0].BatchLabel != "Count in digits" {
		t.Fatalf("%+v", first)
	}
	f := first.Batches[0].Files[0]
	if f.Path != "a.txt" || f.SHA256 != sumOf("one\n2\nthree\n") || f.Changes[0].ChangeID == "" {
		t.Errorf("%+v", f)
	}
	if again := apply(t, c, nil); again.Applied || !cmp.Equal(first.Batches, again.Batches) {
		t.Errorf("%s", cmp.Diff(first.Batches, again.Batches))
	}
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
	openReply(c, fence(lineBlock("workspace/a.txt", sumOf(lineTree["a.txt"]), strings.Replace(replaceTwo, `"2"`, `"II"`, 1))))
	if r := apply(t, c, nil); r.Applied || r.Batches != nil {
		t.Errorf("%+v", r)
	}
}
