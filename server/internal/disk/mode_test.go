//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSetExecutable(t *testing.T) {
	dir := t.TempDir()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file := filepath.Join(dir, "run.sh")
	if err := os.WriteFile(file, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("run.sh", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		on   bool
		want os.FileMode
	}{{true, 0o750}, {true, 0o750}, {false, 0o640}} {
		if err := r.SetExecutable("run.sh", step.on); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(file); info.Mode().Perm() != step.want {
			t.Errorf("mode %v, want %v", info.Mode().Perm(), step.want)
		}
	}
	for _, name := range []string{"link", "none", ".", "../run.sh"} {
		if err := r.SetExecutable(name, true); err == nil {
			t.Errorf("%s was made executable", name)
		}
	}
}
