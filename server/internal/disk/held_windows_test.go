package disk

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// hold opens a file so that no other program can touch it.
func hold(t *testing.T, name string) (release func()) {
	t.Helper()
	path, err := syscall.UTF16PtrFromString(name)
	must(t, err)
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, 0, 0)
	must(t, err)
	return func() { _ = syscall.CloseHandle(h) }
}

func TestSharingViolation(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "a", "b.txt": "b"})
	ops := []Op{{"a.txt", regular("a"), regular("A")}, {"b.txt", regular("b"), regular("B")}}
	r := open(t, dir)
	before := picture(t, dir)
	release := hold(t, filepath.Join(dir, "b.txt"))
	err := commit1(r, state, ops...)
	release()
	if !errors.Is(err, ErrHeld) {
		t.Errorf("held for long: %v", err)
	}
	same(t, "refused", picture(t, dir), before)
	noJournals(t, state)

	readers = wait{} // as if rest had passed
	release = hold(t, filepath.Join(dir, "b.txt"))
	time.AfterFunc(patience/5, release)
	must(t, commit1(open(t, dir), state, ops...))
	if now := picture(t, dir); now["a.txt"] != "-rw-r--r-- A" || now["b.txt"] != "-rw-r--r-- B" {
		t.Errorf("the tree is %v", now)
	}
}
