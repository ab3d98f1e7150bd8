//go:build unix

package disk

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// replaceByFIFO replaces a file with a FIFO that nobody writes to.
func replaceByFIFO(t *testing.T, name string) {
	t.Helper()
	_ = os.Remove(name)
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, syscall.Mkfifo(name, 0o644))
}

// answers fails the test if f is still running long after git's deadline.
func answers(t *testing.T, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for a FIFO")
	}
}

// Without the check, git would wait forever for somebody to write to the FIFO.
func TestGitDoesNotWaitForAFIFO(t *testing.T) {
	for _, name := range []string{".gitignore", "d/.gitignore", ".git/index", ".git/info/exclude", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/commondir", ".git"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			gittest.Run(t, dir, "init", "-q")
			must(t, os.MkdirAll(filepath.Join(dir, "d"), 0o755))
			if name == ".git" {
				must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			}
			replaceByFIFO(t, filepath.Join(dir, name))
			answers(t, func() {
				got := protected(t, dir, "d/a")
				if p := got["d/a"]; !strings.Contains(p.Reason, "is a FIFO") {
					t.Errorf("d/a: %+v", p)
				}
				if got := git.Versions(context.Background(), dir, "d/a"); got != nil {
					t.Errorf("Versions = %v", got)
				}
			})
		})
	}
}

// If the person's own list of ignored files is a FIFO, git is called without it.
func TestExcludesFileIsAFIFO(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.log\n"})
	replaceByFIFO(t, filepath.Join(home, ".config/git/ignore"))
	answers(t, func() { wantProtected(t, protected(t, dir, "a", "a.log"), "a.log") })
	replaceByFIFO(t, filepath.Join(dir, "mine"))
	gittest.Run(t, dir, "config", "core.excludesFile", filepath.Join(dir, "mine"))
	answers(t, func() { wantProtected(t, protected(t, dir, "a", "a.log"), "a.log") })
	must(t, os.Remove(filepath.Join(dir, "mine")))
	gittest.Lay(t, dir, map[string]string{"mine": "a\n"})
	wantProtected(t, protected(t, dir, "a", "a.log", "b"), "a", "a.log")
}

// A tree opens only files, folders and links.
func TestTreeDoesNotOpenAFIFO(t *testing.T) {
	dir := t.TempDir()
	root, err := Open(dir)
	must(t, err)
	defer root.Close()
	replaceByFIFO(t, filepath.Join(dir, "fifo"))
	symlink(t, "fifo", filepath.Join(dir, "link"))
	tree := root.Tree(nil)
	answers(t, func() {
		for _, name := range []string{"fifo", "link"} {
			if _, err := fs.ReadFile(tree, name); err == nil {
				t.Errorf("%s was read", name)
			}
			if _, err := tree.Open(name); err == nil {
				t.Errorf("%s was opened", name)
			}
			if _, err := fs.ReadDir(tree, name); err == nil {
				t.Errorf("%s was listed", name)
			}
		}
	})
}
