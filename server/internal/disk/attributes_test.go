//go:build darwin || linux

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

func TestAttributesAreKept(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "old"})
	name := filepath.Join(dir, "a.txt")
	attributes := map[string]string{"user.quarantine": "0081;web", "user.empty": ""}
	for attribute, value := range attributes {
		if err := unix.Setxattr(name, attribute, []byte(value), 0); err != nil && !errors.Is(err, unix.ENOTSUP) {
			t.Fatal(err)
		} else if err != nil {
			attributes = nil // this file system does not support attributes
		}
	}
	must(t, os.Chmod(name, 0o444))
	r := open(t, dir)
	must(t, commit1(r, state, Op{"a.txt", regular("old"), regular("new")}))
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	for attribute, want := range attributes {
		buf := make([]byte, 100)
		if n, err := unix.Fgetxattr(int(f.Fd()), attribute, buf); err != nil || string(buf[:n]) != want {
			t.Errorf("%s is %q, %v", attribute, buf[:max(n, 0)], err)
		}
	}
	if now := picture(t, dir); now["a.txt"] != "-r--r--r-- new" {
		t.Errorf("the tree is %v", now)
	}
}
