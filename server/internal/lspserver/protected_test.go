package lspserver_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func guarded(ds []lsp.Diagnostic) string {
	var said []string
	for _, d := range ds {
		if d.Code == lsp.String("path-protected") {
			said = append(said, string(d.Message.(lsp.String)))
		}
	}
	return strings.Join(said, "\n")
}

// A person can allow the changes of a reply to protected files once. This covers only the files that the reply names at
// that time.
func TestAllowProtected(t *testing.T) {
	asked := 0
	c := serve(t, nil, func(c *lsptest.Client) {
		c.Choose = func(*lsp.ShowMessageRequestParams) string { asked++; return "" }
	})
	first := bundle(create(".vscode/tasks.json", "{}\n"), create(".vscode/launch.json", "{}\n"))
	openReply(c, first)
	says := func(want string) []lsp.Diagnostic {
		t.Helper()
		return c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return guarded(ds) == want })
	}
	const why = " is protected: VS Code runs the tasks and programs that it names"
	const both = "each of .vscode/tasks.json, .vscode/launch.json" + why
	allow := func(ds []lsp.Diagnostic) {
		t.Helper()
		var actions []lsp.CodeAction
		c.MustCall(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}, Range: ds[0].Range}, &actions)
		run(t, c, actions, "Allow for this reply")
		if slices.ContainsFunc(actions, func(a lsp.CodeAction) bool { return strings.HasPrefix(a.Title, "Copy problems") }) || strings.Contains(titles(t, c), "Copy problems") {
			t.Error("the model cannot correct the protection of a file, but is to be told about it")
		}
	}
	if r := apply(t, c, nil); r.Applied || asked != 1 {
		t.Fatalf("asked %d times: %+v", asked, r)
	}
	allow(says(both))
	says("")
	run(t, c, blockActions(c, 1), "Ask about protected files again")
	allow(says(both))
	says("")

	// A block added later is not covered.
	end := lsp.Position{Line: uint32(strings.Count(first, "\n"))}
	c.Editor.Type(replyURI, lsp.TextEdit{Range: lsp.Range{Start: end, End: end}, NewText: bundle(create(".envrc", "x\n"))})
	allow(says(both + "\n.envrc is protected: the shell runs it when it enters the folder"))
	says("")
	if r := apply(t, c, nil); !r.Applied || asked != 1 {
		t.Errorf("asked %d times: %+v", asked, r)
	}
}

func run(t *testing.T, c *lsptest.Client, actions []lsp.CodeAction, title string) {
	t.Helper()
	for _, a := range actions {
		if a.Title == title {
			c.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: a.Command.Command, Arguments: a.Command.Arguments}, nil)
			return
		}
	}
	t.Fatalf("there is no action %q in %s", title, actionTitles(actions))
}

// If git ignores a whole folder, the person is asked about its files, but they are not
// underlined.
func TestIgnoredFolderIsNotUnderlined(t *testing.T) {
	needs.Program(t, "git")
	var asked []string
	c := serve(t, map[string]string{".gitignore": "build/\n*.key\n"}, func(c *lsptest.Client) {
		c.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = append(asked, p.Message); return "" }
	})
	if out, err := exec.Command("git", "init", "-q", c.Editor.Dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	openReply(c, bundle(create("a.key", "x\n"), create("build/a.txt", "x\n"), create("build/in/b.txt", "x\n")))
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return guarded(ds) == "a.key is protected: git ignores it" })
	if r := apply(t, c, nil); r.Applied || len(asked) != 1 || !strings.Contains(asked[0], "each of build/a.txt, build/in/b.txt is protected: git ignores it") {
		t.Errorf("asked %q: %+v", asked, r)
	}
}

// A revert passes the same gate as an apply: it cannot create a repository, and asks about
// protected files.
func TestRevertsPassTheGate(t *testing.T) {
	var asked []string
	answer := "Apply"
	c := serve(t, map[string]string{"tool/HEAD": "ref: refs/heads/x\n", ".vscode/tasks.json": "{}\n"}, func(c *lsptest.Client) {
		c.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = append(asked, p.Message); return answer }
	})
	makes := func(reply string) string {
		t.Helper()
		openReply(c, reply)
		r := apply(t, c, nil)
		if !r.Applied {
			t.Fatalf("%+v", r)
		}
		c.Editor.Close(replyURI)
		return r.ID
	}
	deleted := makes(bundle(remove("tool/HEAD")))
	makes(bundle(create("tool/objects/.k", ""), create("tool/refs/.k", "")))
	if r := revert(t, c, protocol.RevertParams{ID: deleted}); r.Applied || !strings.Contains(r.Message, "Not reverted: tool/HEAD lies in tool, which git treats as a git directory") {
		t.Errorf("%+v", r)
	}

	removed := makes(bundle(remove(".vscode/tasks.json")))
	asked, answer = nil, "Cancel"
	for _, byEditor := range []bool{false, true} { // if true, the editor asked, but gave no reason
		if r := revert(t, c, protocol.RevertParams{ID: removed, Asked: byEditor}); r.Applied {
			t.Errorf("%+v", r)
		}
	}
	answer = "Revert"
	if r := revert(t, c, protocol.RevertParams{ID: removed}); !r.Applied || len(asked) != 3 {
		t.Errorf("%+v", r)
	}
	for _, question := range asked {
		if !strings.Contains(question, "Revert 1 file") || !strings.Contains(question, ".vscode/tasks.json is protected: VS Code runs the tasks") {
			t.Errorf("asked %q", question)
		}
	}
}
