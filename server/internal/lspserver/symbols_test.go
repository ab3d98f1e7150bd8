package lspserver_test

import (
	"fmt"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

const outlined = `{
  "root": ".",
  "files": [
    {"path": "a.txt", "operation": "create", "content": "x"},
    {"path": "b.txt", "operation": "patch", "patches": [
      {"find": "\n  first\nsecond", "replace": ""},
      {"find": "", "replace": "x"}
    ]},
    {"operation": "crate"}
  ]‸
}`

func knowsTrees(c *lsptest.Client) {
	yes := true
	c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{
		DocumentSymbol: &lsp.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: &yes},
	}
}

func symbols(c *lsptest.Client, document string) lsp.DocumentSymbolResult {
	var result lsp.DocumentSymbolResult
	c.MustCall(lsp.MethodTextDocumentDocumentSymbol, &lsp.DocumentSymbolParams{TextDocument: place(document, lsp.Position{}).TextDocument}, &result)
	return result
}

// outlineOf returns symbols as lines, with the selected text of each.
func outlineOf(t *testing.T, c *lsptest.Client, document string, all []lsp.DocumentSymbol, indent string) (lines []string) {
	t.Helper()
	for _, s := range all {
		line := indent + s.Name
		if s.Detail != nil {
			line += " (" + *s.Detail + ")"
		}
		lines = append(lines, line+" "+within(c, document, s.SelectionRange))
		if !strings.Contains(within(c, document, s.Range), within(c, document, s.SelectionRange)) || s.SelectionRange.Start.Line < s.Range.Start.Line {
			t.Errorf("%s: %v is not in %v", s.Name, s.SelectionRange, s.Range)
		}
		lines = append(lines, outlineOf(t, c, document, s.Children, indent+"  ")...)
	}
	return lines
}

func TestDocumentSymbols(t *testing.T) {
	c := serve(t, nil, knowsTrees)
	inHosts(t, c, outlined, func(t *testing.T, h host, document string, _ lsp.Position) {
		all := symbols(c, document).(lsp.DocumentSymbolSlice)
		first := h.first + "```json"
		if h.name == "whole" {
			first = "{"
		}
		same(t, outlineOf(t, c, document, all, ""),
			"Aptix bundle (3 changes) "+first,
			`  a.txt (create) "a.txt"`,
			`  b.txt (patch) "b.txt"`,
			`    first "\n  first\nsecond"`,
			`    (nothing) ""`,
			`  (nothing) (crate) `)
		if got := within(c, document, all[0].Children[0].Range); got != `{"path": "a.txt", "operation": "create", "content": "x"}` {
			t.Errorf("the entry's range is %q", got)
		}
	})
}

func TestDocumentSymbolsOfSeveral(t *testing.T) {
	c := serve(t, nil, knowsTrees)
	openReply(c, fence(`{"other": "JSON"}`)+"\n"+
		fence(`{"root": ".", "patches": [{"path": "a", "find": "x", "replace": "y"}, {"path": "b", "replacements": [{"find": "z", "replace": ""}]}]}`)+
		"```json\n"+`{"root": ".", "files": [{"path": "c", "content": "`)
	same(t, outlineOf(t, c, replyURI, symbols(c, replyURI).(lsp.DocumentSymbolSlice), ""),
		"Aptix patch (2 changes) ```json", `  a "a"`, `    x "x"`, `  b "b"`, `    z "z"`,
		"Aptix bundle (1 change) ```json", `  c "c"`)
}

func TestFlatDocumentSymbols(t *testing.T) {
	c := serve(t, nil, nil)
	openReply(c, bundle(create("a.txt", "x"), patch("b.txt", "find me", "y")))
	list, ok := symbols(c, replyURI).(lsp.SymbolInformationSlice)
	if !ok {
		t.Fatalf("got %T", symbols(c, replyURI))
	}
	var got []string
	for _, s := range list {
		container := ""
		if s.ContainerName != nil {
			container = *s.ContainerName
		}
		got = append(got, fmt.Sprintf("%s in %q at %d", s.Name, container, s.Location.Range.Start.Line))
	}
	same(t, got, `Aptix bundle in "" at 0`, `a.txt in "Aptix bundle" at 4`, `b.txt in "Aptix bundle" at 5`, `find me in "b.txt" at 5`)
}
