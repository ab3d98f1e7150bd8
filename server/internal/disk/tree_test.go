package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/tools/gittest"
)

var (
	_ fs.ReadFileFS = (*Tree)(nil)
	_ fs.ReadDirFS  = (*Tree)(nil)
	_ fs.StatFS     = (*Tree)(nil)
	_ fs.ReadLinkFS = (*Tree)(nil)
)

func TestTreeIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "", "empty/": ""})
	must(t, fstest.TestFS(open(t, dir).Tree(nil), "a.txt", "d/b.txt", "d/e/c.txt", "empty"))
}

func TestBuffersAreTheTruth(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "on disk", "d/b.txt": "b"})
	must(t, os.Chmod(filepath.Join(dir, "a.txt"), 0o755))
	symlink(t, "a.txt", filepath.Join(dir, "link"))
	symlink(t, "d", filepath.Join(dir, "dl"))
	symlink(t, "/etc", filepath.Join(dir, "out"))
	tree := open(t, dir).Tree(map[string]string{"link": "in buffer \u00e9", "new/file": "unsaved", "out/passwd": "not ours", "../x": "nor this"})
	for _, name := range []string{"a.txt", "link"} {
		checkFile(t, tree, name, "in buffer \u00e9", 0o755)
	}
	checkFile(t, tree, "dl/b.txt", "b", 0o644)
	checkFile(t, tree, "new/file", "unsaved", 0o644)
	if file, err := fspath.Canonical(tree, "link"); err != nil || file != "a.txt" {
		t.Errorf("Canonical(link) = %q, %v", file, err)
	}
	if info, err := tree.Lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("Lstat(link) = %v, %v", info, err)
	}
	if info, err := tree.Lstat("a.txt"); err != nil || info.Size() != int64(len("in buffer \u00e9")) {
		t.Errorf("Lstat(a.txt) = %v, %v", info, err)
	}
	if text, open, err := tree.Buffer("d/b.txt"); open || err != nil {
		t.Errorf("Buffer(d/b.txt) = %q, %v, %v", text, open, err)
	}
	for name, want := range map[string]error{"none": fs.ErrNotExist, "a.txt/x": nil, "out/passwd": nil, "../x": fs.ErrInvalid} {
		if data, err := tree.ReadFile(name); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("ReadFile(%s) = %q, %v", name, data, err)
		}
	}
}

func checkFile(t *testing.T, tree *Tree, name, want string, mode fs.FileMode) {
	t.Helper()
	if data, err := tree.ReadFile(name); err != nil || string(data) != want {
		t.Errorf("ReadFile(%s) = %q, %v", name, data, err)
	}
	info, err := tree.Stat(name)
	if err != nil || info.Size() != int64(len(want)) || info.Mode() != mode || info.Name() != filepath.Base(name) {
		t.Errorf("Stat(%s) = %v, %v", name, info, err)
	}
	f, err := tree.Open(name)
	must(t, err)
	defer f.Close()
	if data, err := io.ReadAll(f); err != nil || string(data) != want {
		t.Errorf("Open(%s) reads %q, %v", name, data, err)
	}
	if opened, err := f.Stat(); err != nil || opened.Size() != info.Size() {
		t.Errorf("Open(%s) is %v, %v", name, opened, err)
	}
}

func TestTwoBuffersOfOneFile(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a": "disk", "b": "b"})
	symlink(t, "a", filepath.Join(dir, "link"))
	r := open(t, dir)
	checkFile(t, r.Tree(map[string]string{"a": "same", "link": "same"}), "a", "same", 0o644)
	tree := r.Tree(map[string]string{"a": "one", "link": "two", "b": "B"})
	for _, name := range []string{"a", "link"} {
		if data, err := tree.ReadFile(name); !errors.Is(err, ErrBuffersDiffer) {
			t.Errorf("ReadFile(%s) = %q, %v", name, data, err)
		}
		if info, err := tree.Stat(name); !errors.Is(err, ErrBuffersDiffer) {
			t.Errorf("Stat(%s) = %v, %v", name, info, err)
		}
	}
	checkFile(t, tree, "b", "B", 0o644)
}

// Lstat describes a link as a link, whether its target is open under the target's own name, under the link's name, or
// through a dangling link.
func TestLinksUnderBuffers(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"d/a.txt": "on disk"})
	targets := map[string]string{"link": "d/a.txt", "d/up": "../link", "dangling": "d/none", "out": "/etc/hostname", "loop": "loop", "dl": "d"}
	link(t, dir, targets)
	root := open(t, dir)
	for _, buffers := range []map[string]string{nil, {"link": "buffer"}, {"d/a.txt": "buffer"}, {"d/up": "buffer", "dangling": "new"}, {"link": "1", "d/up": "2"}} {
		tree := root.Tree(buffers)
		for name, target := range targets {
			if info, err := fs.Lstat(tree, name); err != nil || info.Mode().Type() != fs.ModeSymlink {
				t.Errorf("Lstat(%s) over %v = %v, %v", name, buffers, info, err)
			}
			if got, err := fs.ReadLink(tree, name); err != nil || got != target {
				t.Errorf("ReadLink(%s) over %v = %q, %v", name, buffers, got, err)
			}
		}
		entries, err := tree.ReadDir("d")
		if err != nil || len(entries) != 2 || entries[1].Name() != "up" || entries[1].Type() != fs.ModeSymlink {
			t.Errorf("ReadDir(d) over %v = %v, %v", buffers, entries, err)
		}
	}
	tree := root.Tree(map[string]string{"dangling": "new"})
	checkFile(t, tree, "d/none", "new", 0o644)
	if info, err := tree.Lstat("d/none"); err != nil || !info.Mode().IsRegular() || info.Size() != 3 {
		t.Errorf("Lstat of a buffer that was never saved: %v, %v", info, err)
	}
	for name, want := range map[string]error{"d/a.txt": nil, "none": fs.ErrNotExist, "../x": fs.ErrInvalid, ".": nil} {
		if got, err := tree.ReadLink(name); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("ReadLink(%s) = %q, %v", name, got, err)
		}
	}
}

func TestPathOf(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	root, err := Open(filepath.Join(dir, "a"))
	must(t, err)
	defer root.Close()
	for of, want := range map[string]string{"a/b": "b", "a": ".", ".": ".", "c": "", "..": "."} {
		if got := root.PathOf(filepath.Join(dir, filepath.FromSlash(of))); got != want {
			t.Errorf("PathOf(%s) = %q, want %q", of, got, want)
		}
	}
	if got := root.PathOf(""); got != "" {
		t.Errorf("PathOf of no folder = %q", got)
	}
}
