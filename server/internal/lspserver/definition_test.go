package lspserver_test

import (
	"fmt"
	"slices"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// definitions returns the destinations for a position, as "path
// line:character-line:character".
func definitions(t *testing.T, c *lsptest.Client, document string, p lsp.Position) []string {
	t.Helper()
	var result lsp.DefinitionResult
	c.MustCall(lsp.MethodTextDocumentDefinition, &lsp.DefinitionParams{TextDocumentPositionParams: place(document, p)}, &result)
	var out []string
	switch places := result.(type) {
	case nil:
	case lsp.LocationSlice:
		for _, l := range places {
			out = append(out, where(c, string(l.URI), l.Range))
		}
	case lsp.DefinitionLinkSlice:
		for _, l := range places {
			out = append(out, where(c, string(l.TargetURI), l.TargetSelectionRange)+" from "+within(c, document, *l.OriginSelectionRange))
		}
	default:
		t.Fatalf("got %T", result)
	}
	return out
}

func where(c *lsptest.Client, u string, r lsp.Range) string {
	for _, path := range []string{"a.txt", "dir/crlf.txt", "utf16.txt"} {
		if string(c.Editor.URI(path)) == u {
			u = path
		}
	}
	return fmt.Sprintf("%s %d:%d-%d:%d", u, r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}

func TestDefinition(t *testing.T) {
	c := serve(t, map[string]string{
		"a.txt": "one\ntwo two\n😀 three\n", "dir/crlf.txt": "é1\r\né2\r\né3\r\n", "utf16.txt": "\xff\xfea\x00\n\x00b\x00",
	}, nil)
	entry := func(path, find, replace, limit string) string {
		return fmt.Sprintf("{\n  \"root\": \".\",\n  \"patches\": [\n    {\"path\": \"%s\", \"find\": \"%s\", \"replace\": \"%s\", \"limit\": \"%s\"}\n  ]\n}", path, find, replace, limit)
	}
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"a path", entry("a‸.txt", "one", "1", "once"), []string{"a.txt 0:0-0:0"}},
		{"a path below a root", `{"root": "./dir", "files": [{"path": "crlf‸.txt", "operation": "delete"}]}`, []string{"dir/crlf.txt 0:0-0:0"}},
		{"a roundabout path", entry("./dir/../a‸.txt", "one", "1", "once"), []string{"a.txt 0:0-0:0"}},
		{"a path that leads nowhere", entry("no‸.txt", "one", "1", "once"), nil},
		{"a path to a folder", entry("dir‸", "one", "1", "once"), nil},
		{"a path that goes up", entry("../‸a.txt", "one", "1", "once"), nil},
		{"an absolute path", entry("/a‸.txt", "one", "1", "once"), nil},
		{"a find", entry("a.txt", "two‸", "2", "once"), []string{"a.txt 1:0-1:3"}},
		{"a find of all", entry("a.txt", "two‸", "2", "all"), []string{"a.txt 1:0-1:3", "a.txt 1:4-1:7"}},
		{"a find behind two units", entry("a.txt", " th‸ree", "2", "once"), []string{"a.txt 2:2-2:8"}},
		{"a find with another line ending", entry("dir/crlf.txt", "1\\né2‸\\n", "2", "once"), []string{"dir/crlf.txt 0:1-2:0"}},
		{"a find in UTF-16", entry("utf16.txt", "b‸", "2", "once"), []string{"utf16.txt 1:0-1:1"}},
		{"a find that is not there", entry("a.txt", "four‸", "2", "once"), nil},
		{"an empty find", entry("a.txt", "‸", "2", "once"), nil},
		{"a replace that the file has", entry("a.txt", "1", "on‸e\\ntwo", "once"), []string{"a.txt 0:0-1:3"}},
		{"a replace that does not", entry("a.txt", "one", "1‸", "once"), nil},
		{"a nested find", `{"root": ".", "files": [{"path": "a.txt", "operation": "patch", "patches": [{"find": "one‸", "replace": "1"}]}]}`,
			[]string{"a.txt 0:0-0:3"}},
		{"a limit", entry("a.txt", "one", "1", "on‸ce"), nil},
		{"a name", `{"root": ".", "patches": [{"pa‸th": "a.txt", "find": "one", "replace": "1"}]}`, nil},
		{"the root", `{"root": "‸.", "patches": [{"path": "a.txt", "find": "one", "replace": "1"}]}`, nil},
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

// Definitions refer to the text of an open buffer, and links name their origin.
func TestDefinitionInBuffer(t *testing.T) {
	yes := true
	c := serve(t, map[string]string{"a.txt": "one\n"}, func(c *lsptest.Client) {
		c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{Definition: &lsp.DefinitionClientCapabilities{LinkSupport: &yes}}
	})
	document, p := cursor(t, fence(`{"root": ".", "patches": [{"path": "a.txt", "find": "o‸ne", "replace": "1"}]}`))
	openReply(c, document)
	same(t, definitions(t, c, replyURI, p), `a.txt 0:0-0:3 from "one"`)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
	same(t, definitions(t, c, replyURI, p), `a.txt 1:0-1:3 from "one"`)
}
