package lspserver_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// asks sends a message to @aptix.
func asks(t *testing.T, c *lsptest.Client, ask protocol.ChatAsk) protocol.ChatPrompt {
	t.Helper()
	var p protocol.ChatPrompt
	c.MustCall(protocol.MethodChatPrompt, ask, &p)
	return p
}

func TestChatPrompt(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "saved\n", "b.txt": "b\n", ".d.txt": "d\n", "c.txt": "c\n"}, nil)
	c.Editor.Open("a.txt", "plaintext")
	c.Editor.Type("a.txt", lsp.TextEdit{NewText: "not "})
	p := asks(t, c, protocol.ChatAsk{
		Command: "git", Prompt: "Rename it in `b.txt` (and .d.txt).", MaxInputTokens: 50_000,
		History: []protocol.ChatMessage{{Role: "user", Text: "Hello."}, {Role: "assistant", Text: "Hello!"}},
		Files:   []string{string(c.Editor.URI("a.txt")), "untitled:x", string(c.Editor.URI("a.txt"))},
	})
	if len(p.Messages) != 4 || p.Messages[3].Text != "Rename it in `b.txt` (and .d.txt)." || p.Note != "" {
		t.Fatalf("got %+v", p)
	}
	text := "not saved\n"
	for _, want := range []string{"# Git patch", fmt.Sprintf("\na.txt, SHA-256 %x:\n\n```\n%s```\n", sha256.Sum256([]byte(text)), text), "\nb.txt, SHA-256 "} {
		if !strings.Contains(p.Messages[0].Text, want) {
			t.Errorf("no %q in\n%s", want, p.Messages[0].Text)
		}
	}
	if strings.Contains(p.Messages[0].Text, "c.txt") {
		t.Error("c.txt is sent, and nobody named it")
	}
	if want := []string{string(c.Editor.URI("b.txt")), string(c.Editor.URI(".d.txt")), string(c.Editor.URI("a.txt"))}; !slices.Equal(p.Files, want) {
		t.Errorf("files: got %q, want %q", p.Files, want)
	}
}

// A file that may be secret is never sent to a model, by whatever name it is requested.
func TestChatPromptSendsNoSecrets(t *testing.T) {
	needs.Program(t, "git")
	needs.Links(t)
	const secret = "hunter2"
	c := serve(t, map[string]string{
		".gitignore": "notes.txt\n", ".env": secret, "notes.txt": secret, ".vscode/settings.json": secret, "deploy.sh": secret,
		"big.txt": strings.Repeat(secret, 50_000), "data.bin": secret + "\x00\xff", "good.txt": "good\n",
	}, func(c *lsptest.Client) {
		c.Settings = map[string]any{"aptix": map[string]any{"protected": []string{"deploy.sh"}}}
	})
	dir := c.Editor.Dir
	if out, err := exec.Command("git", "-C", dir, "init", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink("notes.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "out side.txt")
	if err := os.WriteFile(outside, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := protocol.ChatAsk{Prompt: "Look at .env and .git/config and good.txt", MaxInputTokens: 1_000_000, Files: []string{"file://" + strings.ReplaceAll(outside, " ", "%20")}}
	for _, name := range []string{".env", "notes.txt", "link.txt", ".vscode/settings.json", "deploy.sh", "big.txt", "data.bin", ".git/config", "gone.txt"} {
		ask.Files = append(ask.Files, string(c.Editor.URI(name)))
	}
	p := asks(t, c, ask)
	if all := fmt.Sprint(p.Messages); strings.Contains(all, secret) || strings.Contains(all, "repositoryformatversion") || !strings.Contains(all, "good\n") {
		t.Errorf("got %s", all)
	}
	if len(p.Files) != 1 {
		t.Errorf("files: %q", p.Files)
	}
	for _, want := range []string{"`.env` (it is protected", "`notes.txt` (it is protected: git ignores it)", "`.vscode/settings.json` (it is protected", "`deploy.sh` (it is protected", "`big.txt` (it has 341 KB, but at most 256 KB are sent)",
		"`data.bin` (it is not text)", "`.git/config` (it is not a file of the project)", "`out side.txt` (it is outside the workspace folder)", "`gone.txt` ("} {
		if !strings.Contains(p.Note, want) {
			t.Errorf("no %q in %q", want, p.Note)
		}
	}
}

func TestChatPromptIsBounded(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": strings.Repeat("a\n", 9000), "b.txt": "b\n"}, nil)
	p := asks(t, c, protocol.ChatAsk{Prompt: "a.txt b.txt", MaxInputTokens: 5000})
	if len(p.Files) != 1 || !strings.Contains(p.Note, "`a.txt` (the request would be too long)") || len(p.Messages[0].Text) > 16<<10 {
		t.Errorf("files %q, note %q", p.Files, p.Note)
	}
	p = asks(t, c, protocol.ChatAsk{Prompt: strings.Repeat("why ", 5000), MaxInputTokens: 5000})
	if len(p.Messages) != 0 || p.Note != "Nothing was sent: the request is too large for this model." {
		t.Errorf("got %+v", p)
	}
}

func TestChatPromptNeedsAFolder(t *testing.T) {
	c := serve(t, nil, func(c *lsptest.Client) { c.NoFolder = true })
	if p := asks(t, c, protocol.ChatAsk{Prompt: "Hello."}); len(p.Messages) != 0 || !strings.HasPrefix(p.Note, "Open a folder first") {
		t.Errorf("got %+v", p)
	}
	c = serve(t, nil, nil)
	var p protocol.ChatPrompt
	if err := c.Call(protocol.MethodChatPrompt, protocol.ChatAsk{Command: "nonsense"}, &p); err == nil {
		t.Error("a command that is not there has no error")
	}
}

func TestChatFix(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"}, nil)
	broken := bundle(patch("a.txt", missingFind, "x\n"))
	whole := func(text string) protocol.ChatSession { return session(t, text, completeState) }
	p := asks(t, c, protocol.ChatAsk{Command: "fix", Prompt: "And be brief.", Session: whole(broken), MaxInputTokens: 50_000, Files: []string{string(c.Editor.URI("b.txt"))}})
	if len(p.Messages) != 3 || p.Messages[1] != (protocol.ChatMessage{Role: "assistant", Text: broken}) || len(p.Files) != 2 {
		t.Fatalf("got %+v", p)
	}
	if last := p.Messages[2].Text; !strings.HasPrefix(last, "Your last reply needs corrections:") || !strings.HasSuffix(last, "\nAnd be brief.") {
		t.Errorf("the model is asked %q", last)
	}
	for name, test := range map[string]struct {
		ask  protocol.ChatAsk
		want protocol.ChatPrompt
	}{
		"good":     {protocol.ChatAsk{Session: whole(bundle(create("c.txt", "c\n")))}, protocol.ChatPrompt{Note: "The last answer has no problems: 1 file +1 −0.", Answer: bundle(create("c.txt", "c\n"))}},
		"no block": {protocol.ChatAsk{Session: whole("Hello.")}, protocol.ChatPrompt{Note: "The last answer has no Aptix block."}},
		"nothing":  {protocol.ChatAsk{}, protocol.ChatPrompt{Note: "This chat has no answer to correct."}},
	} {
		t.Run(name, func(t *testing.T) {
			test.ask.Command = "fix"
			got := asks(t, c, test.ask)
			if len(got.Messages) != 0 || got.Note != test.want.Note || got.Answer != test.want.Answer {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	t.Run("in its format", func(t *testing.T) {
		for text, lesson := range map[string]string{
			bundle(create("d.txt", "d\n")) + "```ap\n3f9c2a71 AP 3.2\n3f9c2a71 FILE\na.txt\n3f9c2a71 REPLACE\n3f9c2a71 snippet\nno\n3f9c2a71 content\nx\n3f9c2a71 END\n```\n": "# ap patch",
			"Unable to generate a safe Git patch.": "# Aptix file bundle",
		} {
			p := asks(t, c, protocol.ChatAsk{Command: "fix", Session: whole(text)})
			if len(p.Messages) != 3 || !strings.Contains(p.Messages[0].Text, lesson) {
				t.Errorf("%q: no %q in %+v", text, lesson, p)
			}
		}
	})
	t.Run("of the history", func(t *testing.T) {
		p := asks(t, c, protocol.ChatAsk{Command: "fix", History: []protocol.ChatMessage{{Role: "user", Text: "x"}, {Role: "assistant", Text: broken}}})
		if len(p.Messages) != 3 || p.Messages[1].Text != broken {
			t.Errorf("got %+v", p)
		}
	})
}
