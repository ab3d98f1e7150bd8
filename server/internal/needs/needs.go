// Package needs skips a test, with the reason, on a system that lacks what the test is about. Of
// the systems that Aptix supports that is Windows alone: on others nothing is skipped, and the
// test fails where it misses something.
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

// Modes needs files with an executable bit, and folders that can be closed to their owner.
func Modes(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs the modes of Unix")
	}
}

// Links needs symbolic links.
func Links(t testing.TB) {
	t.Helper()
	if !HasLinks() {
		t.Skip("needs symbolic links, which this Windows does not make for this user")
	}
}

// HasLinks reports whether this process can make symbolic links: on Windows that is a right.
func HasLinks() bool { return !windows || makesLinks() }

// makesLinks looks at the link, too: Wine reports one that it has not made.
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

// FolderSyncs needs folders that are synced like files. The log of NTFS keeps their entries instead.
func FolderSyncs(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs folders that are synced by a call, as on Unix")
	}
}

// AnyNames needs file names that Windows does not take, or takes for one another: with a colon or
// a line break, and two that differ in case.
func AnyNames(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs names that Windows does not have")
	}
}

// Unlinking needs files and folders that can be removed while a program has them open.
func Unlinking(t testing.TB) {
	t.Helper()
	if windows {
		t.Skip("needs open folders that can be removed, as on Unix")
	}
}

// Sockets needs Unix sockets, which Windows has since 2018 and Wine has not.
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

// Program needs a program on the PATH.
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

// Quick reports whether tests with very many trials should make few of them: APTIX_QUICK is set. It is
// not -short, with which rapid draws too few inputs for the floors of its tests.
func Quick() bool { return os.Getenv("APTIX_QUICK") != "" }
