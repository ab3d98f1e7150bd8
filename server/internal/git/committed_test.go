package git

import (
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.md": "", "docs/b.md": "", "new.md": "", "added.md": "", "inner/c.md": "", ".gitignore": "a.md\n"})
	gittest.Run(t, dir, "init", "-q")
	if got, err := Committed(t.Context(), filepath.Join(dir, "a.md")); got || err != nil {
		t.Errorf("before the first commit: %v, %v", got, err)
	}
	gittest.Run(t, dir, "add", "-f", "a.md", "docs/b.md")
	gittest.Run(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "First")
	gittest.Run(t, dir, "add", "added.md")
	gittest.Run(t, filepath.Join(dir, "inner"), "init", "-q")
	for name, want := range map[string]bool{"a.md": true, "docs/b.md": true, "new.md": false, "added.md": false, "docs/*.md": false, "inner/c.md": false, ".git/config": false} {
		if got, err := Committed(t.Context(), filepath.Join(dir, name)); got != want || err != nil && name != ".git/config" {
			t.Errorf("%s: committed %v, %v", name, got, err)
		}
	}
	if got, err := Committed(t.Context(), filepath.Join(t.TempDir(), "a.md")); got || err != nil {
		t.Errorf("without a repository: committed %v, %v", got, err)
	}
}

func TestCommittedSaysWhyGitCannotAnswer(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.md": "", ".git": "gitdir: nowhere\n"})
	if got, err := Committed(t.Context(), filepath.Join(dir, "a.md")); got || err == nil {
		t.Errorf("committed %v, %v", got, err)
	}
}
