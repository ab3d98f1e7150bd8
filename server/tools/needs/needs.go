// Package needs skips a test, with the reason, on a system that lacks a feature that the test
// needs. Among the systems that Aptix supports, only Windows lacks features, except for
// [NamesOfBytes], [Denial] and [Root]. On the other systems, a test fails if its feature is
// missing.
package needs

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

const windows = runtime.GOOS == "windows"

// Modes requires files with an executable bit, and folders that can be closed to their owner.
func Modes(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs the modes of Unix")
	}
}

// Links requires symbolic links.
func Links(t testing.TB) {
	t.Helper()
	if !HasLinks() {
		t.Skip("needs symbolic links, which this Windows does not make for this user")
	}
}

// HasLinks reports whether this process can make symbolic links, which needs a permission on
// Windows.
func HasLinks() bool { return !windows || makesLinks() }

// makesLinks also checks the link, because Wine reports success without making one.
var makesLinks = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "needs")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "link")
	if os.Symlink("target", name) != nil {
		return false
	}
	target, err := os.Readlink(name)
	return err == nil && target == "target"
})

// FolderSyncs requires folders that can be synced like files. NTFS cannot do so, because its log
// protects the entries of folders.
func FolderSyncs(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs folders that are synced by a call, as on Unix")
	}
}

// AnyNames requires file names that Windows refuses or treats as the same. These are names with a
// colon or a line break, and two names that differ only in case.
func AnyNames(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs names that Windows does not have")
	}
}

// NamesOfBytes requires file names that are not UTF-8.
func NamesOfBytes(t testing.TB) {
	t.Helper()
	if windows || runtime.GOOS == "darwin" {
		t.Skip("needs file names of any bytes, as on Linux")
	}
}

// Denial requires a user to whom file modes can deny access. Neither root nor a user on Windows is
// such a user.
func Denial(t testing.TB) {
	t.Helper()
	if windows || os.Getuid() == 0 {
		t.Skip("needs a user to whom modes can deny access, which root is not")
	}
}

// Root requires root, the only user who may change the owner of a file and become another user.
func Root(t testing.TB) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, who may become another user")
	}
}

// Unlinking requires files and folders that can be removed while a program has them open.
func Unlinking(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs open folders that can be removed, as on Unix")
	}
}

// Sockets requires Unix sockets. Windows has supported them since 2018, but Wine does not support
// them.
func Sockets(t testing.TB) {
	t.Helper()
	if windows && !listens() {
		t.Skip("needs Unix sockets, which this Windows does not have")
	}
}

var listens = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "needs")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		return false
	}
	return l.Close() == nil
})

// Program requires a program on the PATH.
func Program(t testing.TB, name string) {
	t.Helper()
	switch _, err := exec.LookPath(name); {
	case err == nil:
	case windows:
		t.Skipf("needs %s, which this Windows does not have", name)
	default:
		t.Fatal(err)
	}
}
