package lspserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// click runs the command of the lens with a title on a line.
func click(t *testing.T, c *lsptest.Client, line uint32, title string) {
	t.Helper()
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &all)
	for _, l := range all {
		if l.Range.Start.Line == line && l.Command.Title == title {
			c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: l.Command.Command, Arguments: l.Command.Arguments}, nil)
			return
		}
	}
	t.Fatalf("line %d has no lens %q", line, title)
}

// titles returns the lenses as "line: titles".
func titles(t *testing.T, c *lsptest.Client) string {
	t.Helper()
	var lines []string
	for _, l := range lenses(t, c) {
		l, _, _ = strings.Cut(l, " [")
		line, title, _ := strings.Cut(l, ": ")
		if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], line+": ") {
			lines[n-1] += ", " + title
		} else {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// threeFiles is a block whose first file has two hunks, the second one hunk, and the third
// none.
var threeFiles = diffBlock(editPatch, renamePatch, deletePatch)

func TestSkip(t *testing.T) {
	const all = `0: Preview, Apply Aptix patch, 3 files +3 −4
1: Skip this file, Only this file
4: Skip this hunk, Only this hunk
11: Skip this hunk, Only this hunk
18: Skip this file, Only this file
25: Skip this hunk, Only this hunk
34: Skip this file, Only this file
39: Skip this hunk, Only this hunk`
	for _, tt := range []struct {
		name    string
		clicks  []string // line and title of each click
		lenses  string   // "" if they are unchanged
		changes map[string]string
	}{
		{"nothing", nil, "", map[string]string{"a.txt": edited, "old.txt": "", "new/name.txt": renamed, "deep/er/only.txt": ""}},
		{"a hunk", []string{"4 Skip this hunk"}, `0: Preview, Apply Aptix patch, 3 files +2 −3, 1 skipped
1: Skip this file, Only this file
4: Skipped · Include this hunk
11: Skip this hunk, Only this hunk
18: Skip this file, Only this file
25: Skip this hunk, Only this hunk
34: Skip this file, Only this file
39: Skip this hunk, Only this hunk`, map[string]string{"a.txt": strings.Replace(edited, "2\n", "two\n", 1), "old.txt": "", "new/name.txt": renamed, "deep/er/only.txt": ""}},
		{"a file", []string{"1 Skip this file"}, `0: Preview, Apply Aptix patch, 2 files +1 −2, 1 skipped
1: Skipped · Include this file
18: Skip this file, Only this file
25: Skip this hunk, Only this hunk
34: Skip this file, Only this file
39: Skip this hunk, Only this hunk`, map[string]string{"old.txt": "", "new/name.txt": renamed, "deep/er/only.txt": ""}},
		{"all but a hunk", []string{"11 Only this hunk"}, `0: Preview, Apply Aptix patch, 1 file +1 −1, 3 skipped
1: Skip this file, Only this file
4: Skipped · Include this hunk
11: Skip this hunk, Only this hunk
18: Skipped · Include this file
34: Skipped · Include this file`, map[string]string{"a.txt": strings.Replace(edited, "2\n", "two\n", 1)}},
		{"all but a file", []string{"4 Skip this hunk", "18 Only this file"}, `0: Preview, Apply Aptix patch, 1 file +1 −1, 2 skipped
1: Skipped · Include this file
18: Skip this file, Only this file
25: Skip this hunk, Only this hunk
34: Skipped · Include this file`, map[string]string{"old.txt": "", "new/name.txt": renamed}},
		{"a hunk, and takes it in again", []string{"4 Skip this hunk", "4 Skipped · Include this hunk"}, "",
			map[string]string{"a.txt": edited, "old.txt": "", "new/name.txt": renamed, "deep/er/only.txt": ""}},
		{"all but a file, and takes another in", []string{"18 Only this file", "1 Skipped · Include this file"}, `0: Preview, Apply Aptix patch, 2 files +3 −3, 1 skipped
1: Skip this file, Only this file
4: Skip this hunk, Only this hunk
11: Skip this hunk, Only this hunk
18: Skip this file, Only this file
25: Skip this hunk, Only this hunk
34: Skipped · Include this file`, map[string]string{"a.txt": edited, "old.txt": "", "new/name.txt": renamed}},
		{"all", []string{"1 Only this file", "4 Skip this hunk", "11 Skip this hunk"}, `0: Preview, Apply Aptix patch, nothing to change, 4 skipped
1: Skip this file, Only this file
4: Skipped · Include this hunk
11: Skipped · Include this hunk
18: Skipped · Include this file
34: Skipped · Include this file`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := serve(t, patchedTree, nil)
			openReply(c, threeFiles)
			for _, click_ := range tt.clicks {
				line, title, _ := strings.Cut(click_, " ")
				var n uint32
				if err := json.Unmarshal([]byte(line), &n); err != nil {
					t.Fatal(err)
				}
				click(t, c, n, title)
			}
			want := tt.lenses
			if want == "" {
				want = all
			}
			if got := titles(t, c); got != want {
				t.Errorf("lenses\n%s\nwant\n%s", got, want)
			}
			r := apply(t, c, nil)
			if r.Applied != (tt.changes != nil) || !r.Verified {
				t.Errorf("got %+v", r)
			}
			diskHas(t, c, patchedTree, tt.changes)
		})
	}
}

// Parts that are left out of a block stay left out until the person includes them again, even if text outside the block
// changes, the block is applied, or the document is closed. A block with a different text counts as a different block.
func TestSkipStays(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, threeFiles)
	skipped := func() bool { return strings.Contains(titles(t, c), "Skipped") }
	click(t, c, 4, "Skip this hunk")
	c.Editor.Type(replyURI, lsp.TextEdit{NewText: "Text above.\n"})
	if !skipped() {
		t.Error("forgotten, as text above changed")
	}
	c.Editor.Type(replyURI, lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 1}}})
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return true })
	c.Editor.Close(replyURI)
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	openReply(c, threeFiles)
	if r := apply(t, c, nil); r.Message != "Applied 3 files +2 −3, 1 skipped" {
		t.Errorf("got %+v", r)
	}
	if got, want := titles(t, c), "0: Show Changes, Revert, already applied, 1 skipped\n4: Skipped · Include this hunk"; got != want {
		t.Errorf("after the apply\n%s\nwant\n%s", got, want)
	}
	if got := listing(c); !strings.Contains(got, "    [ ] 4 hunk 1: ") {
		t.Errorf("after the apply\n%s", got)
	}
	if r := apply(t, c, nil); r.Applied {
		t.Errorf("the second apply: %+v", r)
	}
	click(t, c, 4, "Skipped · Include this hunk")
	apply(t, c, nil)
	diskHas(t, c, patchedTree, map[string]string{"a.txt": edited, "old.txt": "", "new/name.txt": renamed, "deep/er/only.txt": ""})
	c.Editor.Close(replyURI)
	at := lsp.Position{Line: 6, Character: 4}
	openReply(c, threeFiles)
	c.Editor.Type(replyURI, lsp.TextEdit{Range: lsp.Range{Start: at, End: at}, NewText: "!"})
	if skipped() {
		t.Error("kept, although the block has changed")
	}
}

// If a block was applied alone without a hunk, a later apply of the whole reply leaves out that hunk, too.
func TestSkipHoldsForTheWholeReply(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, diffBlock(editPatch)+bundle(create("new.txt", "new\n")))
	click(t, c, 4, "Skip this hunk")
	first := 1
	apply(t, c, &first)
	apply(t, c, nil)
	diskHas(t, c, patchedTree, map[string]string{"a.txt": strings.Replace(edited, "2\n", "two\n", 1), "new.txt": "new\n"})
}

// A part stays left out after the server restarts, and when an agent sends the same block.
func TestSkipOutlivesTheServer(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	start := func() *lsptest.Client {
		store, err := history.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		c := lsptest.Start(t, workspace, func(rwc io.ReadWriteCloser) int {
			return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: store, StateDir: dir})
		})
		for path, content := range patchedTree {
			c.Editor.WriteDisk(path, content)
		}
		c.Initialize()
		openReply(c, threeFiles)
		return c
	}
	click(t, start(), 4, "Skip this hunk")
	c := start()
	if got := titles(t, c); !strings.Contains(got, "4: Skipped · Include this hunk") {
		t.Errorf("after the restart\n%s", got)
	}
	other := "Pasted elsewhere.\n\n" + threeFiles
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{Text: &other}, &r); err != nil || r.Message != "Applied 3 files +2 −3, 1 skipped" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// After a part is left out, the editor requests the lenses again, and the part has no
// problems.
func TestSkipRefreshes(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": patchedTree["a.txt"]}, nil)
	openReply(c, diffBlock(editPatch, deletePatch, renamePatch))
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 1 })
	click(t, c, 25, "Skip this file")
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	lsptest.Await(c, lsp.MethodWorkspaceCodeLensRefresh, func(*json.RawMessage) bool { return true })
}

func TestSkipOfMissingPart(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, threeFiles)
	for _, p := range []protocol.SkipParams{
		{URI: "untitled:other", Block: 1, Mode: protocol.SkipThis}, {URI: replyURI, Block: 2, Mode: protocol.SkipThis},
		{URI: replyURI, Block: 1, Part: 99, Mode: protocol.SkipThis}, {URI: replyURI, Block: 1, Part: -2, Mode: protocol.SkipThis},
		{URI: replyURI, Block: 1, Mode: "all"}, {},
	} {
		raw, _ := json.Marshal(p)
		err := c.Call(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandSkip, Arguments: []lsp.LSPAny{raw}}, nil)
		wire, ok := err.(*lsptest.Error)
		if !ok || wire.Code != -32602 {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// A preview shows the result of an apply without the parts that are left out.
func TestPreviewOfAChoice(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, threeFiles)
	click(t, c, 18, "Skip this file")
	var r protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &r)
	var names []string
	for _, f := range r.Files {
		names = append(names, f.Resource[strings.LastIndex(f.Resource, "/")+1:])
	}
	slices.Sort(names)
	same(t, names, "a.txt", "only.txt")
	if r.Title != "Aptix: +2 −3, 1 skipped" {
		t.Errorf("title %q", r.Title)
	}
}

// An editor that can dim text dims parts that are left out.
func TestSkippedIsDimmed(t *testing.T) {
	dimmed := func(c *lsptest.Client, want ...lsp.Range) {
		t.Helper()
		c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool {
			var got []lsp.Range
			for _, d := range ds {
				if slices.Contains(d.Tags.Slice(), lsp.DiagnosticTagUnnecessary) && d.Severity == lsp.DiagnosticSeverityHint {
					got = append(got, d.Range)
				}
			}
			return slices.Equal(got, want)
		})
	}
	lines := func(first, last uint32) lsp.Range {
		return lsp.Range{Start: lsp.Position{Line: first}, End: lsp.Position{Line: last}}
	}
	c := serve(t, patchedTree, func(c *lsptest.Client) {
		can := &lsp.PublishDiagnosticsClientCapabilities{}
		can.TagSupport.ValueSet = []lsp.DiagnosticTag{lsp.DiagnosticTagUnnecessary}
		c.Capabilities.TextDocument = &lsp.TextDocumentClientCapabilities{PublishDiagnostics: can}
	})
	openReply(c, threeFiles)
	dimmed(c)
	click(t, c, 4, "Skip this hunk")
	dimmed(c, lines(4, 11))
	click(t, c, 34, "Skip this file")
	dimmed(c, lines(4, 11), lines(34, 41))
	click(t, c, 1, "Skip this file") // the hunk is part of the file
	dimmed(c, lines(1, 18), lines(34, 41))
	click(t, c, 34, "Skipped · Include this file")
	dimmed(c, lines(1, 18))
}

// One of several blocks can be left out as a whole, even if it has only one file.
func TestLeaveOutBlock(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
	openReply(c, bundle(patch("a.txt", "one", "two"))+bundle(create("b.txt", "b\n"), create("c.txt", "c\n"))+bundle(create("d.txt", "d\n")))
	skip := func(block int, mode protocol.SkipMode) {
		raw, _ := json.Marshal(protocol.SkipParams{URI: replyURI, Block: block, Part: -1, Mode: mode})
		c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandSkip, Arguments: []lsp.LSPAny{raw}}, nil)
	}
	listed := func() string {
		var b protocol.Blocks
		c.MustCall(protocol.MethodBlocks, protocol.BlocksParams{URI: replyURI}, &b)
		s := ""
		for _, l := range b.Blocks {
			s += fmt.Sprintf("%v %v; ", l.Optional, l.Skipped)
		}
		return s
	}
	if got := listed(); got != "true false; true false; true false; " {
		t.Errorf("at first: %s", got)
	}
	skip(1, protocol.SkipThis)
	skip(2, protocol.SkipThis)
	if got := listed(); got != "true true; true true; true false; " {
		t.Errorf("left out: %s", got)
	}
	skip(2, protocol.SkipNot)
	if r := apply(t, c, nil); !r.Applied {
		t.Fatalf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n"})
	if got := listed(); got != "true true; false false; false false; " {
		t.Errorf("applied: %s", got)
	}
}

// A person can leave out one part of a text with elisions. A text without elisions has no parts, even if some of its
// lines look like an elision.
func TestSkipAPartOfAText(t *testing.T) {
	const before = "import os\n\nhost = 'a'\nport = 80\nkind = 3\n\nprint(port)\nprint(kind)\n\ndef stop():\n    return 3\n    # end of stop\n"
	const parts = "`src/a.py`\n```\n...\nhost = 'a'\nport = 8080\nkind = 3\n# ... existing code ...\ndef stop():\n    return 4\n    # end of stop\n```\n"
	c := serve(t, map[string]string{"src/a.py": before}, nil)
	openReply(c, parts)
	click(t, c, 3, "Skip this part")
	if got := titles(t, c); !strings.Contains(got, "3: Skipped · Include this part") || !strings.Contains(got, "7: Skip this part, Only this part") {
		t.Errorf("lenses:\n%s", got)
	}
	openReply(c, "`src/stub.pyi`\n```\ndef a():\n    ...\ndef b():\n    ...\n```\n\n`src/a.py`\n```\n"+before+"```\n")
	if got := titles(t, c); strings.Contains(got, "part") {
		t.Errorf("lenses of whole texts:\n%s", got)
	}
}
