package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestMakeDirs(t *testing.T) {
	dir := t.TempDir()
	root, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.MkdirAll(filepath.Join(dir, "old"), 0o755); err != nil {
		t.Fatal(err)
	}
	made, err := root.MakeDirs([]string{"a.txt", "old/new/b.txt", "old/new/deep/c.txt", "x/d.txt"})
	if want := []string{"old/new", "old/new/deep", "x"}; err != nil || !slices.Equal(made, want) {
		t.Fatalf("made %q, %v; want %q", made, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "x", "d.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	root.RemoveDirs(made)
	for name, stays := range map[string]bool{"old": true, "old/new": false, "x": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}
