package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// hover returns the hover at a position, and the text that it is about.
func hover(t *testing.T, c *lsptest.Client, document string, p lsp.Position) (shown, about string) {
	t.Helper()
	var h *lsp.Hover
	c.MustCall(lsp.MethodTextDocumentHover, &lsp.HoverParams{TextDocumentPositionParams: place(document, p)}, &h)
	if h == nil {
		return "", ""
	}
	content := h.Contents.(*lsp.MarkupContent)
	if content.Kind != lsp.MarkupKindMarkdown || h.Range == nil {
		t.Fatalf("got %+v", h)
	}
	return content.Value, within(c, document, *h.Range)
}

func TestHover(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "sub/a`b.txt": "x\n"}, nil)
	entries := func(s string) string { return "{\n  \"root\": \".\",\n  \"files\": [\n    " + s + "\n  ]\n}" }
	patched := func(find string) string {
		return entries(`{"path": "a‸.txt", "operation": "patch", "patches": [{"find": "` + find + `", "replace": "2\n2b", "limit": "once"}]}`)
	}
	for _, tt := range []struct {
		name, body  string
		want, about string // want is part of the hover
	}{
		{"a member", entries(`{"pa‸th": "b.txt", "content": "b\n"}`), "`path`: The file, relative to", `"path"`},
		{"a member with values", entries(`{"path": "b.txt", "op‸eration": "delete"}`), "\n- `gitPatch`: ", `"operation"`},
		{"the list", "{\n  \"root\": \".\",\n  \"fi‸les\": [\n    {\"path\": \"b.txt\", \"content\": \"\"}\n  ]\n}", "`files`: A file bundle", `"files"`},
		{"an operation", entries(`{"path": "b.txt", "operation": "‸delete"}`), "`delete`: Delete the file.", `"delete"`},
		{"an unknown operation", entries(`{"path": "b.txt", "operation": "‸remove"}`), "", ""},
		{"an unknown member", entries(`{"path": "b.txt", "content": "", "x‸": "y"}`), "", ""},
		{"a limit", entries(`{"path": "a.txt", "operation": "patch", "patches": [{"find": "x", "replace": "y", "limit": "al‸l"}]}`), "`all`: Replace every", `"all"`},
		{"a content", entries(`{"path": "b.txt", "content": "‸b"}`), "", ""},
		{"a bracket", entries(`{‸ "path": "b.txt", "content": "b"}`), "", ""},

		{"a file that is modified", patched("two"), "modify `a.txt` +2 −1", `"a.txt"`},
		{"a file that is not", patched("four"), "**error:** `find` is not in the file", `"a.txt"`},
		{"a file that is done", entries(`{"path": "b.t‸xt", "operation": "replace", "content": "b\n"}`), "already has the result", `"b.txt"`},
		{"a new file", entries(`{"path": "dir/‸new.txt", "operation": "create", "content": "1\n2\n"}`), "It does not exist: it will be created.", `"dir/new.txt"`},
		{"a file that goes", entries(`{"path": "‸b.txt", "operation": "delete"}`), "delete `b.txt` −1", `"b.txt"`},
		{"a file that is gone", entries(`{"path": "‸gone.txt", "operation": "delete"}`), "`gone.txt` does not exist: nothing is left to do.", `"gone.txt"`},
		{"a file that exists", entries(`{"path": "‸b.txt", "operation": "create", "content": "B\n"}`), "**error:** b.txt already exists", `"b.txt"`},
		{"an entry that lacks something", entries(`{"path": "‸b.txt", "operation": "patch"}`), "**error:** `patches` is missing", `"b.txt"`},
		{"an entry that comes again", entries("{\"path\": \"b.txt\", \"content\": \"1\\n\"},\n    {\"path\": \"b‸.txt\", \"content\": \"2\\n\"}"), "modify `b.txt` +1 −1", `"b.txt"`},
		{"a name with backticks", "{\n  \"root\": \"./sub\",\n  \"files\": [\n    {\"path\": \"a`b‸.txt\", \"content\": \"y\\n\"}\n  ]\n}", "modify `` sub/a`b.txt `` +1 −1", "\"a`b.txt\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inHosts(t, c, tt.body, func(t *testing.T, h host, document string, p lsp.Position) {
				shown, about := hover(t, c, document, p)
				if !strings.Contains(shown, tt.want) || about != tt.about || (tt.want == "") != (shown == "") {
					t.Errorf("shown for %s:\n%s\nwant %s: %s", about, shown, tt.about, tt.want)
				}
			})
		})
	}
}

func TestHoverOnOpenFile(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "old\n"}, nil)
	c.Editor.Open("a.txt", "plaintext")
	document, p := cursor(t, fence(`{"root": ".", "files": [{"path": "a‸.txt", "operation": "replace", "content": "new\n"}]}`))
	openReply(c, document)
	if shown, _ := hover(t, c, replyURI, p); shown != "modify `a.txt` +1 −1" {
		t.Error(shown)
	}
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 1}}, NewText: "new\n"})
	if shown, _ := hover(t, c, replyURI, p); !strings.Contains(shown, "already has the result") {
		t.Error(shown)
	}
}

func TestHoverWithoutAnswer(t *testing.T) {
	c := serve(t, nil, nil)
	for name, text := range map[string]string{
		"other JSON": fence(`{"path‸": "x"}`),
		"prose":      "pa‸th\n",
	} {
		document, p := cursor(t, text)
		openReply(c, document)
		if shown, _ := hover(t, c, replyURI, p); shown != "" {
			t.Errorf("%s: %s", name, shown)
		}
	}
	if shown, _ := hover(t, c, "untitled:nothing", lsp.Position{}); shown != "" {
		t.Errorf("in no document: %s", shown)
	}
	document, p := cursor(t, "```json\n"+`{"root": ".", "files": [{"path": "a‸.txt", "content": "`)
	openReply(c, document)
	if shown, _ := hover(t, c, replyURI, p); shown != "The block is not closed yet." {
		t.Errorf("in an open block: %s", shown)
	}
}

func TestHoverWithoutFolder(t *testing.T) {
	c := serve(t, nil, func(c *lsptest.Client) { c.NoFolder = true })
	document, p := cursor(t, fence(`{"root": ".", "files": [{"path": "a‸.txt", "operation": "delete"}]}`))
	openReply(c, document)
	if shown, _ := hover(t, c, replyURI, p); !strings.Contains(shown, "No folder is open") {
		t.Error(shown)
	}
}

func TestHoverBesidesSchemas(t *testing.T) {
	c := serve(t, nil, func(c *lsptest.Client) { c.Options = map[string]any{"schemas": true} })
	document, p := cursor(t, `{"root": ".", "files": [{"pa‸th": "a.txt", "operation": "delete"}]}`)
	c.Editor.OpenText("untitled:x.aptix.json", "json", document)
	if shown, _ := hover(t, c, "untitled:x.aptix.json", p); shown != "" {
		t.Error(shown)
	}
	p.Character += 8
	if shown, _ := hover(t, c, "untitled:x.aptix.json", p); !strings.Contains(shown, "nothing is left to do") {
		t.Error(shown)
	}
}

// If the editor's own hover shows the problems at a place, the hover of Aptix shows only problems elsewhere in the
// entry.
func TestHoverSaysProblemsOnce(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n"}, func(c *lsptest.Client) { c.Options = map[string]any{"hoverProblems": true} })
	const problem = "warning:"
	for _, tt := range []struct {
		reply string
		says  bool
	}{
		{`{"root": ".", "files": [{"path": "./a‸.txt", "operation": "replace", "content": "two\n"}]}`, false},
		{`{"root": ".", "files": [{"path": "./a.txt", "operation": "re‸place", "content": "two\n"}]}`, false},
		{`{"root": ".", "files": [{"path": "a‸.txt", "operation": "patch", "patches": [{"find": "one", "replace": "1"}]}]}`, false},
		{`{"root": ".", "files": [{"path": "a‸.txt", "operation": "patch", "patches": [{"find": "on", "replace": "1", "limit": "once"}]}]}`, true},
	} {
		document, p := cursor(t, fence(tt.reply))
		openReply(c, document)
		if shown, _ := hover(t, c, replyURI, p); strings.Contains(shown, problem) != tt.says {
			t.Errorf("%s: %q", tt.reply, shown)
		}
		c.Editor.Close(replyURI)
	}
}
