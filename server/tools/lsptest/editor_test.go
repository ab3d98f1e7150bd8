package lsptest

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
)

// A listener is a server that only records notifications.
type listener struct {
	mu      sync.Mutex
	methods []string
}

func (l *listener) serve(rwc io.ReadWriteCloser) int {
	in := bufio.NewReader(rwc)
	for {
		body, err := readFrame(in)
		if err != nil {
			return 0
		}
		var m message
		if json.Unmarshal(body, &m) == nil && m.Method != "" {
			l.mu.Lock()
			l.methods = append(l.methods, strings.TrimPrefix(m.Method, "textDocument/"))
			l.mu.Unlock()
		}
	}
}

// told returns the notifications since the last call. It first sends another frame, because a
// frame that was written may still be in the listener's buffer, and the next one pushes it
// through.
func (l *listener) told(c *Client) string {
	c.Notify("mark", nil)
	c.Notify("mark", nil)
	for {
		l.mu.Lock()
		all := strings.Join(l.methods, " ")
		if before, ok := strings.CutSuffix(all, "mark mark"); ok {
			l.methods = nil
			l.mu.Unlock()
			return strings.TrimSpace(before)
		}
		l.mu.Unlock()
	}
}

// setUp starts a client with four files: one is open and dirty, one is closed, one will be
// deleted, and one will be renamed.
func setUp(t *testing.T) (*Client, *listener) {
	l := &listener{}
	c := Start(t, t.TempDir(), l.serve)
	for path, content := range map[string]string{"open": "one\r\n", "closed": "one\n", "old": "one\n", "gone": "one\n"} {
		c.Editor.WriteDisk(path, content)
	}
	c.Editor.Open("open", "plaintext")
	c.Editor.Type("open", insert("mine "))
	l.told(c)
	return c, l
}

func insert(text string) protocol.TextEdit { return protocol.TextEdit{NewText: text} }

func edited(e *Editor, path string, version int32) *protocol.TextDocumentEdit {
	change := &protocol.TextDocumentEdit{Edits: []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: "new\n"}}}
	change.TextDocument.URI = e.URI(path)
	if version > 0 {
		change.TextDocument.Version = &version
	}
	return change
}

func everything(e *Editor) *protocol.ApplyWorkspaceEditParams {
	return &protocol.ApplyWorkspaceEditParams{Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
		&protocol.CreateFile{Kind: "create", URI: e.URI("made/new")},
		&protocol.RenameFile{Kind: "rename", OldURI: e.URI("old"), NewURI: e.URI("moved")},
		&protocol.DeleteFile{Kind: "delete", URI: e.URI("gone")},
		edited(e, "made/new", 0), edited(e, "open", 2), edited(e, "closed", 0), edited(e, "moved", 0),
	}}}
}

// state returns the text that the editor shows for each file, or "-" for none. A star marks
// unsaved text.
func state(e *Editor) map[string]string {
	all := map[string]string{}
	for _, path := range []string{"made/new", "old", "moved", "gone", "open", "closed"} {
		text, ok := e.Text(path)
		switch {
		case !ok:
			all[path] = "-"
		case e.Dirty(path):
			all[path] = text + "*"
		default:
			all[path] = text
		}
	}
	return all
}

func TestApply(t *testing.T) {
	untouched := map[string]string{"made/new": "-", "old": "one\n", "moved": "-", "gone": "one\n", "open": "mine one\r\n*", "closed": "one\n"}
	with := func(changes map[string]string) map[string]string {
		all := map[string]string{}
		for path, text := range untouched {
			all[path] = text
		}
		for path, text := range changes {
			all[path] = text
		}
		return all
	}
	operations := map[string]string{"made/new": "", "old": "-", "moved": "one\n", "gone": "-"}
	done := map[string]string{"made/new": "new\n*", "old": "-", "moved": "new\none\n*", "gone": "-", "open": "new\r\nmine one\r\n*", "closed": "new\none\n*"}
	yes := true
	for _, c := range []struct {
		name     string
		behavior Behavior
		change   func(*Editor, *protocol.ApplyWorkspaceEditParams)
		applied  bool
		want     map[string]string
	}{
		{"VS Code", Behavior{}, nil, true, done},
		{"refuses", Behavior{Refuse: true}, nil, false, untouched},
		{"stops at the texts", Behavior{StopBefore: 4}, nil, false, with(operations)},
		{"leaves one out", Behavior{Skip: 5}, nil, true, with(map[string]string{
			"made/new": "new\n*", "old": "-", "moved": "new\none\n*", "gone": "-", "closed": "new\none\n*"})},
		{"version is old", Behavior{}, func(e *Editor, _ *protocol.ApplyWorkspaceEditParams) { e.Type("open", insert("x")) }, false,
			with(map[string]string{"open": "xmine one\r\n*"})},
		{"create of what is there", Behavior{}, func(e *Editor, _ *protocol.ApplyWorkspaceEditParams) { e.WriteDisk("made/new", "x") }, false,
			with(map[string]string{"made/new": "x"})},
		{"delete of what is not", Behavior{}, func(_ *Editor, p *protocol.ApplyWorkspaceEditParams) {
			p.Edit.DocumentChanges[2].(*protocol.DeleteFile).URI += "/nothing"
		}, false, with(map[string]string{"made/new": "", "old": "-", "moved": "one\n"})},
		{"a person types meanwhile", Behavior{Meanwhile: func(e *Editor) { e.Type("closed", insert("P")) }}, nil, true,
			map[string]string{"made/new": "new\n*", "old": "-", "moved": "new\none\n*", "gone": "-", "open": "new\r\nmine one\r\n*", "closed": "Pnew\none\n*"}},
		{"refactoring saves all", Behavior{}, func(_ *Editor, p *protocol.ApplyWorkspaceEditParams) {
			p.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: &yes}
		}, true, map[string]string{"made/new": "new\n", "old": "-", "moved": "new\none\n", "gone": "-", "open": "new\r\nmine one\r\n", "closed": "new\none\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _ := setUp(t)
			params := everything(client.Editor)
			client.Editor.Behave(c.behavior)
			if c.change != nil {
				c.change(client.Editor, params)
			}
			if got := client.Editor.apply(params); got.Applied != c.applied {
				t.Errorf("applied is %v", got.Applied)
			}
			if diff := cmp.Diff(c.want, state(client.Editor)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTell(t *testing.T) {
	const all = "didOpen didChange didChange didOpen didChange didOpen didChange"
	for _, c := range []struct {
		tell                     Tell
		before, answered, finish string
	}{
		{TellBefore, all, "", ""}, {TellAfter, "", all, ""}, {TellRelease, "", "", all},
	} {
		client, l := setUp(t)
		e := client.Editor
		e.Behave(Behavior{Tell: c.tell})
		e.apply(everything(e))
		if got := l.told(client); got != c.before {
			t.Errorf("%d: before the answer: %s", c.tell, got)
		}
		e.answered()
		if got := l.told(client); got != c.answered {
			t.Errorf("%d: after the answer: %s", c.tell, got)
		}
		e.Release()
		if got := l.told(client); got != c.finish {
			t.Errorf("%d: when released: %s", c.tell, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct{ disk, shown, saved string }{
		{"a\n", "a\n", "xa\n"},
		{"\xef\xbb\xbfa\r\n", "a\r\n", "\xef\xbb\xbfxa\r\n"},
		{"\xff\xfea\x00\n\x00", "a\n", "\xff\xfex\x00a\x00\n\x00"},
		{"\xfe\xff\x00a\xd8\x3d\xde\x00", "a😀", "\xfe\xff\x00x\x00a\xd8\x3d\xde\x00"},
		{"a\r\nb\nc\r\n", "a\r\nb\r\nc\r\n", "xa\r\nb\r\nc\r\n"}, // VS Code supports one line ending for each document
		{"a\r\nb\nc\n", "a\nb\nc\n", "xa\nb\nc\n"},
		{"a\rb", "a\r\nb", "xa\r\nb"},
	} {
		client := Start(t, t.TempDir(), (&listener{}).serve)
		e := client.Editor
		e.WriteDisk("f", c.disk)
		e.Open("f", "plaintext")
		if got, _ := e.Text("f"); got != c.shown {
			t.Errorf("%q is shown as %q, want %q", c.disk, got, c.shown)
		}
		e.Type("f", insert("x"))
		e.Save("f")
		if got, _ := e.ReadDisk("f"); got != c.saved {
			t.Errorf("%q is saved as %q, want %q", c.disk, got, c.saved)
		}
	}
}
