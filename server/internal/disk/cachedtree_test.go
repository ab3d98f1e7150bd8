package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

type reader interface {
	fs.FS
	Lstat(string) (fs.FileInfo, error)
	ReadString(string) (string, error)
}

// A cached tree gives the same answers as the tree, the first time and again. After end, it
// forgets everything.
func TestCached(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "", "empty/": "", "d/buffer": "on disk"})
	symlink(t, "d", filepath.Join(dir, "dl"))
	symlink(t, "../a.txt", filepath.Join(dir, "d", "link"))
	symlink(t, "/etc", filepath.Join(dir, "out"))
	tree := open(t, dir).Tree(map[string]string{"d/buffer": "in buffer", "new/file": "unsaved"})
	cached, end := tree.Cached()
	names := []string{"a.txt", ".", "d", "d/b.txt", "d/e", "d/e/c.txt", "dl/b.txt", "dl/e/c.txt", "dl", "d/link", "dl/link", "out", "out/passwd",
		"d/buffer", "dl/buffer", "new/file", "new", "none", "d/none", "a.txt/x", "../x", "d//b.txt"}
	for range 2 {
		for _, name := range names {
			sameAs(t, name, cached.(reader), tree)
		}
	}
	must(t, os.RemoveAll(filepath.Join(dir, "d", "e")))
	if _, err := cached.(reader).Lstat("d/e"); err != nil {
		t.Errorf("it asked the disk again: %v", err)
	}
	end()
	for _, name := range names {
		sameAs(t, name, cached.(reader), tree)
	}
}

func sameAs(t *testing.T, name string, got, want reader) {
	t.Helper()
	info, err := got.Lstat(name)
	wantInfo, wantErr := want.Lstat(name)
	if (err == nil) != (wantErr == nil) || err == nil && (info.Mode() != wantInfo.Mode() || info.Size() != wantInfo.Size()) {
		t.Errorf("Lstat(%s) = %v, %v, want %v, %v", name, info, err, wantInfo, wantErr)
	}
	data, err := got.ReadString(name)
	wantData, wantErr := want.ReadString(name)
	if (err == nil) != (wantErr == nil) || data != wantData {
		t.Errorf("ReadString(%s) = %q, %v, want %q, %v", name, data, err, wantData, wantErr)
	}
}
