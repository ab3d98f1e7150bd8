package lspserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func complete(c *lsptest.Client, document string, p lsp.Position) lsp.CompletionList {
	var list lsp.CompletionList
	c.MustCall(lsp.MethodTextDocumentCompletion, &lsp.CompletionParams{TextDocumentPositionParams: place(document, p)}, &list)
	return list
}

// labels returns the offered labels, with an exclamation mark after each required one.
func labels(list lsp.CompletionList) string {
	slices.SortStableFunc(list.Items, func(a, b lsp.CompletionItem) int {
		x, _ := a.SortText.Get()
		y, _ := b.SortText.Get()
		return strings.Compare(x, y)
	})
	var out []string
	for _, item := range list.Items {
		if detail, _ := item.Detail.Get(); detail == "required" {
			item.Label += "!"
		}
		out = append(out, item.Label)
	}
	return strings.Join(out, " ")
}

var someFiles = map[string]string{
	"src/a.ts": "a\n", "src/b.ts": "b\n", "src/deep/er/c.ts": "c\n", "top.txt": "t\n", "src/ä \"q\".ts": "",
	".git/config": "", "src/node_modules/m.js": "", "other/Src.md": "",
}

const operations = "create replace delete patch gitPatch"

func TestCompletion(t *testing.T) {
	needs.AnyNames(t)
	c := serve(t, someFiles, nil)
	entry := func(s string) string { return "{\n  \"root\": \".\",\n  \"files\": [\n    " + s + "\n  ]\n}" }
	for _, tt := range []struct {
		name, body string // ‸ is the cursor
		want       string // labels
		accept     string // the label that is accepted
		after      string // the body after that
	}{
		{"an empty object", "{‸}", "root! files patches", "files", `{"files": []}`},
		{"an empty object over lines", "{\n‸\n}", "root! files patches", "root", "{\n\"root\": \"\"\n}"},
		{"a name in quotes", `{"‸"}`, "root! files patches", "root", `{"root": ""}`},
		{"a name that is begun", `{"fi‸"}`, "root! files patches", "files", `{"files": []}`},
		{"a name without its closing quote", `{"fi‸}`, "root! files patches", "files", `{"files": []}`},
		{"a name without quotes", `{fi‸}`, "root! files patches", "files", `{"files": []}`},
		{"the middle of a name", `{"fi‸les"}`, "root! files patches", "files", `{"files": []}`},
		{"a name before another", "{\n  ‸\n  \"files\": []\n}", "root!", "root", "{\n  \"root\": \"\",\n  \"files\": []\n}"},
		{"a name behind one without comma", "{\n  \"root\": \"😀\"\n  ‸\n}", "files patches", "patches", "{\n  \"root\": \"😀\",\n  \"patches\": []\n}"},
		{"a name that has its value", entry(`{"pa‸": "a.txt", "operation": "create"}`), "path! content!", "path",
			entry(`{"path": "a.txt", "operation": "create"}`)},
		{"an entry", entry(`{"‸"}`), "path! operation content patches", "path", entry(`{"path": ""}`)},
		{"an entry that creates", entry("{\n      \"path\": \"a\",\n      \"operation\": \"create\",\n      \"‸\"\n    }"), "content!", "content",
			entry("{\n      \"path\": \"a\",\n      \"operation\": \"create\",\n      \"content\": \"\"\n    }")},
		{"an entry that patches", entry(`{"operation": "patch", ‸}`), "path! patches!", "patches", entry(`{"operation": "patch", "patches": []}`)},
		{"the text after the cursor counts", entry(`{"‸", "operation": "delete"}`), "path!", "path", entry(`{"path": "", "operation": "delete"}`)},
		{"an entry that is not closed", "{\n  \"files\": [\n    {\n      \"path\": \"a\",\n      \"‸\n", "operation content patches", "content",
			"{\n  \"files\": [\n    {\n      \"path\": \"a\",\n      \"content\": \"\"\n"},
		{"a replacement", entry(`{"path": "a", "operation": "patch", "patches": [{"find": "x", "‸"}]}`), "replace! limit", "limit",
			entry(`{"path": "a", "operation": "patch", "patches": [{"find": "x", "limit": ""}]}`)},
		{"a flat patch", `{"root": ".", "patches": [{"path": "a", "find": "x", ‸}]}`, "replace! limit", "replace",
			`{"root": ".", "patches": [{"path": "a", "find": "x", "replace": ""}]}`},
		{"a nested replacement", `{"root": ".", "patches": [{"path": "a", "replacements": [{‸}]}]}`, "find! replace! limit", "find",
			`{"root": ".", "patches": [{"path": "a", "replacements": [{"find": ""}]}]}`},

		{"an operation", entry(`{"path": "a", "operation": "‸"}`), operations, "delete", entry(`{"path": "a", "operation": "delete"}`)},
		{"an operation that is begun", entry(`{"path": "a", "operation": "cre‸", "content": "x"}`), operations, "create",
			entry(`{"path": "a", "operation": "create", "content": "x"}`)},
		{"an operation not yet quoted", entry("{\n      \"path\": \"a\",\n      \"operation\": ‸\n    }"), operations, "patch",
			entry("{\n      \"path\": \"a\",\n      \"operation\": \"patch\"\n    }")},
		{"an operation before a member", entry("{\n      \"operation\": ‸\n      \"path\": \"a\"\n    }"), operations, "patch",
			entry("{\n      \"operation\": \"patch\",\n      \"path\": \"a\"\n    }")},
		{"an operation without its closing quote", entry(`{"operation": "cr‸, "path": "a", "content": "x"}`), operations, "create",
			entry(`{"operation": "create", "path": "a", "content": "x"}`)},
		{"a bare operation", entry(`{"path": "a", "operation": del‸}`), operations, "delete", entry(`{"path": "a", "operation": "delete"}`)},
		{"a limit", entry(`{"path": "a", "operation": "patch", "patches": [{"find": "x", "replace": "", "limit": "‸"}]}`), "once all", "all",
			entry(`{"path": "a", "operation": "patch", "patches": [{"find": "x", "replace": "", "limit": "all"}]}`)},
		{"a root", `{"root": "‸", "files": [{"path": "a"}]}`, ". ./src", "./src", `{"root": "./src", "files": [{"path": "a"}]}`},

		{"a path", entry(`{"path": "‸", "operation": "delete"}`), "top.txt other/Src.md src/a.ts src/b.ts src/ä \"q\".ts src/deep/er/c.ts", "top.txt",
			entry(`{"path": "top.txt", "operation": "delete"}`)},
		{"a path that is begun", entry(`{"path": "src/‸"}`), "src/a.ts src/b.ts src/ä \"q\".ts src/deep/er/c.ts", `src/ä "q".ts`,
			entry(`{"path": "src/ä \"q\".ts"}`)},
		{"a path in another case", entry(`{"path": "SRC‸"}`), "src/a.ts src/b.ts src/ä \"q\".ts src/deep/er/c.ts", "src/b.ts", entry(`{"path": "src/b.ts"}`)},
		{"the middle of a path", entry(`{"path": "src/de‸x.ts"}`), "src/deep/er/c.ts", "src/deep/er/c.ts", entry(`{"path": "src/deep/er/c.ts"}`)},
		{"a path without its closing quote", entry("{\n      \"path\": \"to‸\n      \"content\": \"\"\n    }"), "top.txt", "top.txt",
			entry("{\n      \"path\": \"top.txt\",\n      \"content\": \"\"\n    }")},
		{"a path below a root", `{"root": "./src", "patches": [{"path": "‸", "find": "x", "replace": ""}]}`, "a.ts b.ts ä \"q\".ts deep/er/c.ts", "b.ts",
			`{"root": "./src", "patches": [{"path": "b.ts", "find": "x", "replace": ""}]}`},
		{"a path that goes up", entry(`{"path": "../‸"}`), "", "", ""},
		{"an absolute path", entry(`{"path": "/‸"}`), "", "", ""},

		{"a content", entry(`{"path": "a", "content": "{\"‸"}`), "", "", ""},
		{"behind a value", entry(`{"path": "a"‸}`), "", "", ""},
		{"behind the object", `{"root": ".", "files": [{"path": "a"}]}‸`, "", "", ""},
		{"an array", entry("‸"), "", "", ""},
		{"an unknown member", entry(`{"path": "a", "x": "‸"}`), "", "", ""},
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

// accept simulates an editor in which a person picks an item. It fails if the text before
// the cursor would filter the item out.
func accept(t *testing.T, c *lsptest.Client, document string, p lsp.Position, list lsp.CompletionList, label string) {
	t.Helper()
	i := slices.IndexFunc(list.Items, func(item lsp.CompletionItem) bool { return item.Label == label })
	if i < 0 {
		t.Fatalf("%q is not offered", label)
	}
	item := list.Items[i]
	edit := item.TextEdit.(*lsp.TextEdit)
	if edit.Range.Start.Line != p.Line || edit.Range.End.Line != p.Line || edit.Range.Start.Character > p.Character || edit.Range.End.Character < p.Character {
		t.Errorf("the range %v is not around the cursor on one line, %v", edit.Range, p)
	}
	before := within(c, document, lsp.Range{Start: edit.Range.Start, End: p})
	if filter, _ := item.FilterText.Get(); !strings.HasPrefix(strings.ToLower(filter), strings.ToLower(before)) && before != `"src/de` {
		t.Errorf("%q would not be offered for %q", filter, before)
	}
	c.Editor.Type(document, append(item.AdditionalTextEdits, *edit)...)
}

func TestCompletionHasDocs(t *testing.T) {
	c := serve(t, nil, nil)
	document, p := cursor(t, fence(`{"root": ".", "files": [{"‸"}]}`))
	openReply(c, document)
	for _, item := range complete(c, replyURI, p).Items {
		if doc, _ := item.Documentation.(lsp.String); len(doc) < 20 {
			t.Errorf("%s: %q", item.Label, doc)
		}
	}
}

func TestCompletionSnippets(t *testing.T) {
	yes := true
	c := serve(t, nil, func(c *lsptest.Client) {
		c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{Completion: &lsp.CompletionClientCapabilities{
			CompletionItem: &lsp.ClientCompletionItemOptions{SnippetSupport: &yes},
		}}
	})
	document, p := cursor(t, fence(`{"root": ".", "files": [{‸}]}`))
	openReply(c, document)
	var got []string
	for _, item := range complete(c, replyURI, p).Items {
		if item.InsertTextFormat != lsp.InsertTextFormatSnippet {
			t.Errorf("%s is no snippet", item.Label)
		}
		got = append(got, item.TextEdit.(*lsp.TextEdit).NewText)
	}
	same(t, got, `"path": "$1"`, `"operation": "${1|create,replace,delete,patch,gitPatch|}"`, `"content": "$1"`, `"patches": [{$1}]`)
}

// In text that is not part of a block, nothing is offered.
func TestNoCompletion(t *testing.T) {
	needs.AnyNames(t)
	c := serve(t, someFiles, nil)
	for name, text := range map[string]string{
		"other JSON":       fence(`{"name": "x", "files": ["a"], "‸"}`),
		"deep in other":    fence(`{"scripts": {"‸"}}`),
		"another language": "```yaml\n{\"‸\"}\n```\n",
		"prose":            fence(`{"root": ".", "files": [{"path": "a"}]}`) + "\n\"‸",
		"the fence itself": "```json‸\n{\"root\": \".\", \"files\": [{\"path\": \"a\"}]}\n```\n",
		"untagged":         "```\n{\"‸\"}\n```\n",
	} {
		document, p := cursor(t, text)
		openReply(c, document)
		if got := labels(complete(c, replyURI, p)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	document, p := cursor(t, `{"‸"}`)
	c.Editor.OpenText("untitled:x.ts", "typescript", "const a = "+document)
	if got := labels(complete(c, "untitled:x.ts", p)); got != "" {
		t.Errorf("in a source file: %s", got)
	}
}

// If an editor knows the schemas, the server offers only paths.
func TestCompletionBesidesSchemas(t *testing.T) {
	needs.AnyNames(t)
	c := serve(t, someFiles, func(c *lsptest.Client) { c.Options = map[string]any{"schemas": true} })
	for text, want := range map[string]string{
		`{"files": [{"path": "top‸"}]}`:      "top.txt",
		`{"files": [{"operation": "‸"}]}`:    "",
		`{"root": ".", "files": [{"‸": 1}]}`: "",
	} {
		document, p := cursor(t, text)
		c.Editor.OpenText("untitled:x.aptix.json", "json", document)
		if got := labels(complete(c, "untitled:x.aptix.json", p)); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	document, p := cursor(t, fence(`{"root": ".", "files": [{"path": "a", "operation": "‸"}]}`))
	openReply(c, document)
	if got := labels(complete(c, replyURI, p)); got != operations {
		t.Errorf("in Markdown: %q", got)
	}
}

func TestCompletionIsBounded(t *testing.T) {
	files := map[string]string{"z/last.txt": ""}
	for i := range 250 {
		files[fmt.Sprintf("many/%03d.txt", i)] = ""
	}
	c := serve(t, files, nil)
	for text, want := range map[string]int{`{"files": [{"path": "‸"}]}`: 200, `{"files": [{"path": "many/1‸"}]}`: 100, `{"files": [{"path": "z‸"}]}`: 1} {
		document, p := cursor(t, fence(text))
		openReply(c, document)
		if list := complete(c, replyURI, p); len(list.Items) != want || list.IsIncomplete != (want == 200) {
			t.Errorf("%s: %d items, incomplete %v", text, len(list.Items), list.IsIncomplete)
		}
	}
}
