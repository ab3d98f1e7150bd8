package lspserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// listing returns the rows of a view of the reply, one per line.
func listing(c *lsptest.Client) string {
	var r protocol.Blocks
	c.MustCall(protocol.MethodBlocks, &protocol.BlocksParams{URI: replyURI}, &r)
	var b strings.Builder
	for _, block := range r.Blocks {
		fmt.Fprintf(&b, "%d %s: %s, %s\n", block.Line, block.Title, block.State, block.Text)
		writeParts(&b, "  ", block.Parts)
	}
	return b.String()
}

func writeParts(b *strings.Builder, indent string, parts []protocol.ListedPart) {
	for _, p := range parts {
		box := map[[2]bool]string{{true, false}: "[x] ", {true, true}: "[ ] "}[[2]bool{p.Optional, p.Skipped}]
		fmt.Fprintf(b, "%s%s%d %s: %s", indent, box, p.Line, p.Name, p.Text)
		if p.Problem != "" {
			fmt.Fprintf(b, " (failed %v: %s)", p.Failed, p.Problem)
		}
		b.WriteString("\n")
		writeParts(b, indent+"  ", p.Parts)
	}
}

// skip leaves a part of the first block out, or includes it again, as mode says.
func skip(c *lsptest.Client, part int, mode protocol.SkipMode) {
	raw, _ := json.Marshal(protocol.SkipParams{URI: replyURI, Block: 1, Part: part, Mode: mode})
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: protocol.CommandSkip, Arguments: []lsp.LSPAny{raw}}, nil)
}

func TestBlocks(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, threeFiles)
	before := listing(c)
	same(t, strings.Split(before, "\n"),
		"0 a git patch: ready, 3 files +3 −4",
		"  [x] 1 a.txt: modify +2 −2",
		"    [x] 4 hunk 1, lines 1 to 5: ",
		"    [x] 11 hunk 2, lines 8 to 12: ",
		"  [x] 18 old.txt: rename +1 −1, to new/name.txt",
		"  [x] 34 deep/er/only.txt: delete +0 −1",
		"")
	skip(c, 0, protocol.SkipThis)
	same(t, strings.Split(listing(c), "\n"),
		"0 a git patch: ready, 2 files +1 −2, 1 skipped",
		"  [ ] 1 a.txt: ",
		"  [x] 18 old.txt: rename +1 −1, to new/name.txt",
		"  [x] 34 deep/er/only.txt: delete +0 −1",
		"")
	skip(c, 0, protocol.SkipNot)
	if got := listing(c); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
	if r := apply(t, c, nil); !r.Applied {
		t.Fatalf("got %+v", r)
	}
	same(t, strings.Split(listing(c), "\n"),
		"0 a git patch: done, already applied",
		"  1 a.txt: already applied",
		"    4 hunk 1: ",
		"    11 hunk 2: ",
		"  18 old.txt: already applied",
		"  34 deep/er/only.txt: already applied",
		"")
}

// A file with an error can be left out, so that the others are applied.
func TestBlocksWithProblems(t *testing.T) {
	c := serve(t, tree, nil)
	openReply(c, bundle(create("../x", ""), create("new.txt", "x\n"))+"\n"+reply+"\n```json\n{\"root\": \".\", \"files\": [")
	same(t, strings.Split(listing(c), "\n"),
		"0 a file bundle: error, 1 error",
		"  [x] 4 ../x:  (failed true: ../x goes up with ..; a path must stay below the root)",
		"  [x] 5 new.txt: create +1 −0",
		"10 a file bundle: ready, 4 files +3 −3",
		"  [x] 14 a.txt: modify +1 −1",
		"  [x] 15 b.txt: modify +1 −1",
		"  [x] 16 gone.txt: delete +0 −1",
		"  [x] 17 dir/new.txt: create +1 −0",
		"22 a file bundle: incomplete, incomplete",
		"")
}

// A document of a language that holds no replies has no blocks. A document that is not open
// causes an error.
func TestBlocksOfNoReply(t *testing.T) {
	c := serve(t, tree, nil)
	const uri = "file:///elsewhere/a.go"
	c.Editor.OpenText(uri, "go", reply)
	var r protocol.Blocks
	c.MustCall(protocol.MethodBlocks, &protocol.BlocksParams{URI: uri}, &r)
	if r.Blocks == nil || len(r.Blocks) > 0 {
		t.Errorf("got %+v", r)
	}
	if err := c.Call(protocol.MethodBlocks, &protocol.BlocksParams{URI: "untitled:none"}, nil); err == nil {
		t.Error("a document that is not open has blocks")
	}
}

// Unread parts are listed below the blocks.
func TestBlocksListUnread(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "doc.txt": "x\n"}, nil)
	openReply(c, bundle(patch("a.txt", "two", "2"))+"\nThen:\n\n```powershell\nRemove-Item doc.txt\n```\n")
	var r protocol.Blocks
	c.MustCall(protocol.MethodBlocks, &protocol.BlocksParams{URI: replyURI}, &r)
	if len(r.Unread) != 1 || r.Unread[0].Text != "a shell command that deletes doc.txt" || !r.Unread[0].Asks {
		t.Errorf("got %+v", r.Unread)
	}
}

// A part that is not read is listed at its line, even if the apply does not ask about it. The person can ask the model
// for it, also after the apply.
func TestUnreadIsNoDeadEnd(t *testing.T) {
	for _, applied := range []bool{false, true} {
		t.Run(fmt.Sprintf("applied: %t", applied), func(t *testing.T) { unreadIsNoDeadEnd(t, applied) })
	}
}

func unreadIsNoDeadEnd(t *testing.T, applied bool) {
	c := serve(t, map[string]string{"a.txt": "one\ntwo\nthree\n"}, nil)
	openReply(c, bundle(patch("a.txt", "two", "2"))+"\nThen:\n\n```bash\npython make.py > b.txt\n```\n\nSo far `a.txt` was:\n\n```text\none\ntwo\nthree\n```\n")
	if applied {
		apply(t, c, nil)
	}
	if got := titles(t, c); !strings.HasSuffix(got, "\n12: not read: a shell command that writes b.txt, Copy problems for the model") {
		t.Errorf("lenses\n%s", got)
	}
	if all := actions(c, "quickfix"); len(all) != 1 || all[0].Title != "Copy problems for the model" || len(all[0].Diagnostics) != 1 {
		t.Errorf("actions %+v", all)
	}
	var r protocol.FeedbackResult
	if err := command(c, protocol.CommandFeedback, protocol.Target{URI: replyURI}, &r); err != nil || !strings.Contains(r.Text, "- line 13 of the reply: a shell command that writes b.txt\n") {
		t.Errorf("got %s, %v", r.Text, err)
	}
}

// A code block that is not read has a fix that puts the likely path above it.
func TestFixForUnread(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "red\ngreen\nthe color is blue\nwhite\n"}, nil)
	openReply(c, bundle(patch("a.txt", "two", "2"))+"\nThe file `b.txt` also changes.\n\n> ```python\n> the colors is blue\n> ```\n")
	var edit *lsp.TextEdit
	for _, a := range actions(c) {
		if a.Title == "Read the code block as part of b.txt" {
			edit = a.Edit.DocumentChanges[0].(*lsp.TextDocumentEdit).Edits[0].(*lsp.TextEdit)
		}
	}
	if edit == nil || edit.NewText != "> `b.txt`\n>\n" || edit.Range.Start.Character != 0 {
		t.Errorf("got %+v", edit)
	}
}
