//go:build neovim

// Package neovimtest runs the language server in a real Neovim as docs/neovim.md describes,
// with diagnostics, code lenses and apply. `make test-neovim` runs it; it needs nvim on the
// PATH.
package neovimtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A tour holds the results that tour.lua writes to a file.
type tour struct {
	Error       string            `json:"error"`
	Diagnostics []string          `json:"diagnostics"`
	Before      []string          `json:"before"` // titles of lenses
	After       []string          `json:"after"`
	Buffers     map[string]string `json:"buffers"` // after the apply, by file name
	Undone      string            `json:"undone"`  // a.txt, after one undo in it
	Preview     string            `json:"preview"` // the text in the split window
	Revert      string            `json:"revert"`  // the title of the Revert lens
	Message     string            `json:"message"` // shown after the revert
	Unnamed     []string          `json:"unnamed"` // titles of lenses in a buffer without a name
}

const replyMD = "# Reply\n\n```json\n" + `{
  "root": ".",
  "files": [
    {"path": "a.txt", "operation": "patch", "patches": [{"find": "two", "replace": "2", "limit": "once"}]},
    {"path": "new/b.txt", "operation": "create", "content": "b\n"},
    {"path": "gone.txt", "operation": "delete"}
  ]
}
` + "```\n\n```json\n" + `{"root": ".", "files": [{"path": "../up.txt", "operation": "create", "content": ""}]}` + "\n```\n"

func TestNeovim(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "tour.json")
	for name, content := range map[string]string{"reply.md": replyMD, "a.txt": "one\ntwo\nthree\n", "gone.txt": "bye\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := run(t, dir, out)
	if s.Error != "" {
		t.Fatal(s.Error)
	}
	equal(t, "diagnostics", s.Diagnostics, []string{"15:34 path-parent"})
	equal(t, "lenses", s.Before, []string{"Apply all 2 Aptix blocks",
		"Preview", "Apply Aptix bundle", "3 files +2 −2",
		"Skip this file", "Only this file", "Skip this file", "Only this file", "Skip this file", "Only this file", "Preview", "Apply Aptix bundle", "Copy problems for the model", "1 error"})
	if got := s.After[3]; got != "already applied" {
		t.Errorf("after the apply the lens says %q", got)
	}
	if s.Buffers["a.txt"] != "one\n2\nthree" || s.Buffers["b.txt"] != "b" {
		t.Errorf("buffers: %q", s.Buffers)
	}
	if _, err := os.Stat(filepath.Join(dir, "gone.txt")); !os.IsNotExist(err) {
		t.Errorf("gone.txt is still there: %v", err)
	}
	if s.Undone != "one\ntwo\nthree" {
		t.Errorf("after an undo: %q", s.Undone)
	}
	if !strings.Contains(s.Preview, "-two\n+2\n") || !strings.Contains(s.Preview, "--- a/gone.txt") {
		t.Errorf("the preview shows %q", s.Preview)
	}
	equal(t, "lenses in a buffer without a name", s.Unnamed, []string{"Preview", "Apply Aptix bundle", "1 file +1 −0"})
	if _, err := os.Stat(filepath.Join(dir, "unnamed.txt")); s.Revert != "Revert" || !os.IsNotExist(err) {
		t.Errorf("%q says %q, and the file: %v", s.Revert, s.Message, err)
	}
	if s.Buffers["unnamed.txt"] != "u" {
		t.Errorf("unnamed.txt: %q", s.Buffers["unnamed.txt"])
	}
}

// run builds the server and lets Neovim run tour.lua in dir.
func run(t *testing.T, dir, out string) tour {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "aptix")
	if output, err := exec.Command("go", "build", "-o", binary, "../../cmd/aptix").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	script, err := filepath.Abs("tour.lua")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "APTIX="+binary, "TOUR="+out, "HOME="+home,
		"XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nvim: %v\n%s", err, output)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var s tour
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %q, want %q", what, got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %q, want %q", what, got[i], want[i])
		}
	}
}
