package lspserver_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	lsp "go.lsp.dev/protocol"
	"golang.org/x/sys/unix"
)

// As long as no document has a block, the server reads no folder of the workspace, and only
// the files that are open.
func TestNothingIsReadBeforeTheFirstReply(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n", "dir/b.txt": "b\n", "README.md": "# Text\n\n```go\nx := 1\n```\n"}, nil)
	reads := watchReads(t, c.Editor.Dir, filepath.Join(c.Editor.Dir, "dir"))
	c.Editor.Open("README.md", "markdown")
	c.AwaitDiagnostics("README.md", func([]lsp.Diagnostic) bool { return true })
	if names := reads(); slices.ContainsFunc(names, func(name string) bool { return name != "README.md" }) {
		t.Errorf("it read %q", names)
	}
	openReply(c, bundle(patch("dir/b.txt", "b", "B")))
	c.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return true })
	if names := reads(); !slices.Contains(names, "b.txt") {
		t.Errorf("that dir/b.txt was read was not seen: %q", names)
	}
}

// watchReads returns a function that returns the names that were read in some folders since
// its last call. "" stands for a folder itself.
func watchReads(t *testing.T, dirs ...string) func() []string {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "inotify")
	t.Cleanup(func() { _ = f.Close() })
	for _, dir := range dirs {
		if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_ACCESS); err != nil {
			t.Fatal(err)
		}
	}
	return func() (names []string) {
		buf := make([]byte, 64<<10)
		n, err := unix.Read(fd, buf)
		if err != nil {
			return nil // EAGAIN: nothing was read
		}
		for b := buf[:n]; len(b) >= unix.SizeofInotifyEvent; {
			size := binary.NativeEndian.Uint32(b[12:])
			name := b[unix.SizeofInotifyEvent:][:size]
			names = append(names, unix.ByteSliceToString(name))
			b = b[unix.SizeofInotifyEvent+size:]
		}
		return names
	}
}
