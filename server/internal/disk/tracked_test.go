package disk

import (
	"path/filepath"
	"testing"
)

func TestTracked(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"a.md": "", "docs/b.md": "", "new.md": "", "inner/c.md": "", ".gitignore": "a.md\n"})
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-f", "a.md", "docs/b.md")
	git(t, filepath.Join(dir, "inner"), "init", "-q")
	for name, want := range map[string]bool{"a.md": true, "docs/b.md": true, "new.md": false, "docs/*.md": false, "inner/c.md": false, ".git/config": false} {
		if got, err := Tracked(t.Context(), filepath.Join(dir, name)); got != want || err != nil && name != ".git/config" {
			t.Errorf("%s: tracked %v, %v", name, got, err)
		}
	}
	if got, err := Tracked(t.Context(), filepath.Join(t.TempDir(), "a.md")); got || err != nil {
		t.Errorf("without a repository: tracked %v, %v", got, err)
	}
}

func TestTrackedTellsWhatGitCannot(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"a.md": "", ".git": "gitdir: nowhere\n"})
	if got, err := Tracked(t.Context(), filepath.Join(dir, "a.md")); got || err == nil {
		t.Errorf("tracked %v, %v", got, err)
	}
}
