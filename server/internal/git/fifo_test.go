//go:build unix

package git

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// If the check before a call misses a file that git would wait for, the deadline ends the call. Here, a configuration
// includes a FIFO.
func TestGitHasADeadline(t *testing.T) {
	usual := patience
	patience = time.Second
	t.Cleanup(func() { patience = usual })
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Run(t, dir, "config", "include.path", "../fifo")
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	const slow = "git did not answer within"
	got, err := Protected(t.Context(), dir, []string{"a"})
	if p := got["a"]; err != nil || !strings.Contains(p.Reason, slow) {
		t.Errorf("a: %+v, %v", p, err)
	}
	if _, err := Committed(t.Context(), filepath.Join(dir, "a")); err == nil || !strings.Contains(err.Error(), slow) {
		t.Error(err)
	}
}
