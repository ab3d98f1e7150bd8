package documents_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

// The editor keeps its text as UTF-16 units, and the server keeps it as bytes. Both texts must agree after any edits.
func TestDocumentsFollowTheEditor(t *testing.T) {
	docs := documents.New()
	c := start(t, docs, nil)
	c.Editor.OpenText("a.md", "markdown", "")
	rapid.Check(t, func(r *rapid.T) {
		c.Editor.OpenText("a.md", "markdown", chunk.Draw(r, "text"))
		for range rapid.IntRange(1, 5).Draw(r, "rounds") {
			now, _ := c.Editor.Text("a.md")
			c.Editor.Type("a.md", edits(r, now)...)
		}
		sync(t, c)
		want, _ := c.Editor.Text("a.md")
		if got := document(docs, c, "a.md"); got.Text != want || got.Broken != "" {
			r.Fatalf("server has %q (%s), editor %q", got.Text, got.Broken, want)
		}
	})
}

var chunk = rapid.Custom(func(r *rapid.T) string {
	text := ""
	for range rapid.IntRange(0, 12).Draw(r, "parts") {
		text += rapid.SampledFrom([]string{"a", "bc", "\n", "\r\n", "\r", "ä", "€", "😀", "\u2028", "\x00", "e\u0301", " "}).Draw(r, "part")
	}
	return text
})

// edits draws edits of s that may touch but do not overlap.
func edits(r *rapid.T, s string) []protocol.TextEdit {
	places := positions(s)
	ends := rapid.SliceOfN(rapid.IntRange(0, len(places)-1), 2, 8).Draw(r, "ends")
	slices.Sort(ends)
	var all []protocol.TextEdit
	for pair := range slices.Chunk(ends[:len(ends)/2*2], 2) {
		all = append(all, protocol.TextEdit{
			Range:   protocol.Range{Start: places[pair[0]], End: places[pair[1]]},
			NewText: chunk.Draw(r, "new"),
		})
	}
	return all
}

// positions returns every position in s that an editor can express.
func positions(s string) []protocol.Position {
	var now protocol.Position
	all := []protocol.Position{now}
	for i, c := range s {
		switch {
		case c == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			continue // LSP has no position between CR and LF
		case c == '\n' || c == '\r':
			now = protocol.Position{Line: now.Line + 1}
		default:
			now.Character += uint32(utf16.RuneLen(c))
		}
		all = append(all, now)
	}
	return append(all, protocol.Position{Line: now.Line, Character: now.Character + 99}, protocol.Position{Line: 1 << 31})
}

func TestOpenChangeClose(t *testing.T) {
	docs := documents.New()
	c := start(t, docs, nil)
	c.Editor.WriteDisk("dir with space/ä#.md", "\xef\xbb\xbfone\r\ntwo\r\n")
	c.Editor.Open("dir with space/ä#.md", "markdown")
	sync(t, c)
	before := docs.Snapshot()
	c.Editor.Type("dir with space/ä#.md", protocol.TextEdit{Range: protocol.Range{Start: protocol.Position{Line: 1}, End: protocol.Position{Line: 1, Character: 3}}, NewText: "2"})
	sync(t, c)
	got := document(docs, c, "dir with space/ä#.md")
	if got.Text != "one\r\n2\r\n" || got.Version != 2 || got.LanguageID != "markdown" {
		t.Errorf("%+v", got)
	}
	if old := before.Get(got.URI); old.Text != "one\r\ntwo\r\n" || old.Version != 1 {
		t.Errorf("an old snapshot changed: %+v", old)
	}
	if n := len(before.All()); n != 1 {
		t.Errorf("%d documents are open", n)
	}
	c.Editor.Save("dir with space/ä#.md")
	if disk, _ := c.Editor.ReadDisk("dir with space/ä#.md"); disk != "\xef\xbb\xbfone\r\n2\r\n" {
		t.Errorf("saved %q", disk)
	}
	c.Editor.Close("dir with space/ä#.md")
	sync(t, c)
	if got := document(docs, c, "dir with space/ä#.md"); got != nil {
		t.Errorf("still open: %+v", got)
	}
}

// A client can write the URI of a file in several ways.
func TestURIsAreCanonical(t *testing.T) {
	docs := documents.New()
	c := start(t, docs, nil)
	c.Notify(protocol.MethodTextDocumentDidOpen, json.RawMessage(`{"textDocument":{"uri":"file:///a%2Fb%20c.md","languageId":"x","version":1,"text":"t"}}`))
	sync(t, c)
	if got := docs.Snapshot().Get("file:///a/b%20c.md"); got == nil || got.Text != "t" {
		t.Errorf("documents: %v", docs.Snapshot().All())
	}
}

func change(uri string, version int, changes string) json.RawMessage {
	raw, _ := json.Marshal(map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": version},
		"contentChanges": json.RawMessage(changes),
	})
	return raw
}

func TestWrongChangesBreakTheDocumentUntilItIsSentWhole(t *testing.T) {
	const reversed = `[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":1}},"text":"x"}]`
	docs := documents.New()
	c := start(t, docs, nil)
	c.Editor.OpenText("a.md", "markdown", "abc")
	u := string(c.Editor.URI("a.md"))
	c.Notify(protocol.MethodTextDocumentDidChange, change(u, 2, reversed))
	sync(t, c)
	if got := document(docs, c, "a.md"); got.Broken == "" || got.Text != "abc" || got.Version != 2 {
		t.Fatalf("after a range that ends before it begins: %+v", got)
	}
	c.Notify(protocol.MethodTextDocumentDidChange, change(u, 3, `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"x"}]`))
	sync(t, c)
	if got := document(docs, c, "a.md"); got.Broken == "" {
		t.Errorf("a further change healed it: %+v", got)
	}
	c.Notify(protocol.MethodTextDocumentDidChange, change(u, 4, `[{"text":"whole"},{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"W"}]`))
	sync(t, c)
	if got := document(docs, c, "a.md"); got.Broken != "" || got.Text != "Whole" {
		t.Errorf("the whole text did not heal it: %+v", got)
	}
	c.Notify(protocol.MethodTextDocumentDidChange, change("file:///never/opened", 7, `[{"text":"x"}]`))
	sync(t, c)
	if got := docs.Snapshot().Get("file:///never/opened"); got == nil || got.Broken == "" {
		t.Errorf("a document that was never opened: %+v", got)
	}
}

func TestPositionsBehindTheTextAreItsEnd(t *testing.T) {
	docs := documents.New()
	c := start(t, docs, nil)
	c.Editor.OpenText("a.md", "markdown", "ab\ncd")
	u := string(c.Editor.URI("a.md"))
	c.Notify(protocol.MethodTextDocumentDidChange, change(u, 2, `[{"range":{"start":{"line":0,"character":4294967295},"end":{"line":4294967295,"character":4294967295}},"text":"!"}]`))
	sync(t, c)
	if got := document(docs, c, "a.md"); got.Text != "ab!" || got.Broken != "" {
		t.Errorf("%+v", got)
	}
}

func TestSavedTextMustBeTheKnownOne(t *testing.T) {
	docs := documents.New()
	c := start(t, docs, nil)
	c.Editor.OpenText("a.md", "markdown", "abc")
	u := c.Editor.URI("a.md")
	for saved, broken := range map[string]bool{"abc": false, "abd": true} {
		params := &protocol.DidSaveTextDocumentParams{Text: &saved}
		params.TextDocument.URI = u
		c.Editor.OpenText("a.md", "markdown", "abc")
		c.Notify(protocol.MethodTextDocumentDidSave, params)
		sync(t, c)
		if got := document(docs, c, "a.md"); (got.Broken != "") != broken {
			t.Errorf("saved %q: %+v", saved, got)
		}
	}
}
