package fspath_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// Windows finds a file by its short name, which the folder does not list.
func TestShortNamesOfWindows(t *testing.T) {
	dir := t.TempDir()
	want := "A long folder name/A long file name.text"
	full := filepath.Join(dir, filepath.FromSlash(want))
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder, file := shortName(t, filepath.Dir(full)), shortName(t, full)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if got, err := fspath.Canonical(root.FS(), folder+"/"+file); err != nil || got != want {
		t.Errorf("%s/%s: %q, %v; want %q", folder, file, got, err, want)
	}
}

// shortName returns the last name of a file's short path.
func shortName(t *testing.T, name string) string {
	t.Helper()
	long, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	var short [1 << 10]uint16
	if n, err := syscall.GetShortPathName(long, &short[0], uint32(len(short))); n == 0 {
		t.Skipf("needs short names: %v", err)
	}
	base := filepath.Base(syscall.UTF16ToString(short[:]))
	if base == filepath.Base(name) {
		t.Skip("needs short names, which not every disk of Windows has")
	}
	return base
}
