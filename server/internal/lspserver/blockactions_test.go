package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// blockActions returns the actions on the block or part at a line of the reply.
func blockActions(c *lsptest.Client, line uint32) []lsp.CodeAction {
	var all []lsp.CodeAction
	at := lsp.Position{Line: line}
	c.MustCall(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI},
		Range: lsp.Range{Start: at, End: at}, Context: lsp.CodeActionContext{Diagnostics: []lsp.Diagnostic{}, Only: []lsp.CodeActionKind{"aptix.block"}}}, &all)
	return all
}

func actionTitles(actions []lsp.CodeAction) string {
	var titles []string
	for _, a := range actions {
		titles = append(titles, a.Title)
	}
	return strings.Join(titles, ", ")
}

func TestBlockActions(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, "Hello\n\n"+threeFiles)
	for line, want := range map[uint32]string{
		0:  "",
		2:  "Apply block, Preview block",
		3:  "Apply block, Preview block, Skip this file, Only this file",
		6:  "Apply block, Preview block, Skip this file, Only this file, Skip this hunk, Only this hunk",
		36: "Apply block, Preview block, Skip this file, Only this file",
	} {
		if got := actionTitles(blockActions(c, line)); got != want {
			t.Errorf("line %d: %s; want %s", line, got, want)
		}
	}
}

func TestBlockActionsAct(t *testing.T) {
	c := serve(t, nil, nil)
	openReply(c, bundle(create("a.txt", "a\n"))+bundle(create("b.txt", "b\n")))
	act := blockActions(c, 9)
	if len(act) == 0 {
		t.Fatal("no actions in the second block")
	}
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: act[0].Command.Command, Arguments: act[0].Command.Arguments}, nil)
	shows(t, c, map[string]string{"a.txt": "", "b.txt": "b\n"})
	done := blockActions(c, 9)
	if got := actionTitles(done); got != "Show Changes, Revert" {
		t.Fatalf("an applied block has the actions %s", got)
	}
	c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: done[1].Command.Command, Arguments: done[1].Command.Arguments}, nil)
	shows(t, c, map[string]string{"b.txt": ""})
}

// If the cursor is in a block, the command applies that block, and the message says so.
// Elsewhere, it applies all blocks.
func TestApplyAtCursor(t *testing.T) {
	reply := bundle(create("a.txt", "a\n")) + "\nAnd then\n\n" + bundle(create("b.txt", "b\n"))
	between := strings.Count(reply[:strings.Index(reply, "And then")], "\n")
	for _, tt := range []struct {
		line    int
		message string
		b       string
	}{{1, "Applied block 1 of 2: 1 file +1 −0", ""}, {between, "Applied 2 files +2 −0", "b\n"}, {-3, "Applied block 1 of 2: 1 file +1 −0", ""}} {
		c := serve(t, nil, nil)
		openReply(c, reply)
		var r protocol.ApplyResult
		if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, At: &protocol.Position{Line: tt.line}}, &r); err != nil {
			t.Fatal(err)
		}
		if r.Message != tt.message {
			t.Errorf("line %d: %q, want %q", tt.line, r.Message, tt.message)
		}
		shows(t, c, map[string]string{"a.txt": "a\n", "b.txt": tt.b})
	}
}
