package lspserver_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// A host is a document around a body.
type host struct {
	name, uri   string
	first, rest string // text before the opening fence, and before each following line
	eol         string
}

var hosts = []host{
	{"fence", "untitled:%d.md", "", "", "\n"},
	{"CRLF", "untitled:%d.md", "", "", "\r\n"},
	{"list", "untitled:%d.md", "- ", "  ", "\n"},
	{"quote", "untitled:%d.md", "> ", "> ", "\r\n"},
	{"list in a quote", "untitled:%d.md", "> 1. ", ">    ", "\n"},
	{"whole", "untitled:%d.aptix.json", "", "", "\n"},
}

func (h host) document(body string) string {
	if h.name != "whole" {
		lines := strings.Split("```json\n"+body+"\n```\n", "\n")
		for i := range lines[1 : len(lines)-1] {
			lines[i+1] = h.rest + lines[i+1]
		}
		body = "A reply, 😀.\n\n" + h.first + strings.Join(lines, "\n") + "\nThe end."
	}
	return strings.ReplaceAll(body, "\n", h.eol)
}

// inHosts opens a body in every kind of host. It removes the mark ‸, and calls f with the URI
// and the position of the mark.
func inHosts(t *testing.T, c *lsptest.Client, body string, f func(t *testing.T, h host, uri string, at lsp.Position)) {
	t.Helper()
	for i, h := range hosts {
		t.Run(h.name, func(t *testing.T) {
			uri := fmt.Sprintf(h.uri, i)
			text, at := cursor(t, h.document(body))
			c.Editor.OpenText(uri, "markdown", text)
			f(t, h, uri, at)
			c.Editor.Close(uri)
		})
	}
}

// cursor removes the mark from a text, and returns its position.
func cursor(t *testing.T, s string) (string, lsp.Position) {
	t.Helper()
	before, after, found := strings.Cut(s, "‸")
	if !found {
		t.Fatalf("no mark in %q", s)
	}
	line := before[strings.LastIndex(before, "\n")+1:]
	return before + after, lsp.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(len(utf16.Encode([]rune(line))))}
}

func place(document string, p lsp.Position) lsp.TextDocumentPositionParams {
	return lsp.TextDocumentPositionParams{TextDocument: lsp.TextDocumentIdentifier{URI: uri.URI(document)}, Position: p}
}

// within returns the part of the text that a range covers.
func within(c *lsptest.Client, uri string, r lsp.Range) string {
	text, _ := c.Editor.Text(uri)
	units := utf16.Encode([]rune(text))
	offset := func(p lsp.Position) int {
		line := uint32(0)
		for i := range units {
			if line == p.Line {
				return i + int(p.Character)
			}
			if units[i] == '\n' {
				line++
			}
		}
		return len(units)
	}
	return string(utf16.Decode(units[offset(r.Start):offset(r.End)]))
}

func TestStructureCapabilities(t *testing.T) {
	c := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop()})
	})
	can := c.Initialize().Capabilities
	if can.CompletionProvider == nil || !slices.Equal(can.CompletionProvider.TriggerCharacters, []string{`"`, "/", " "}) {
		t.Errorf("completion: %+v", can.CompletionProvider)
	}
	for _, provider := range []any{can.HoverProvider, can.DefinitionProvider, can.DocumentSymbolProvider} {
		if provider != lsp.Boolean(true) {
			t.Errorf("a provider is %v", provider)
		}
	}
}
