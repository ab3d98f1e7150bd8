package lsptest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// slow is the time that an editor on an overloaded machine takes for one step.
const slow = 10 * time.Second

// patience is how long a test in slow motion waits for the connections of earlier tests to end. On a busy machine, that
// has taken more than a second.
const patience = time.Minute

// InSlowMotion runs a test with a slow editor (see [Client.Slow]). The test has its own
// clock, which jumps ahead when every goroutine waits. With APTIX_SLOW=real, time passes
// normally.
func InSlowMotion(t *testing.T, f func(t *testing.T, slow time.Duration)) {
	t.Helper()
	if RealTime() {
		t.Parallel()
		f(t, slow)
		return
	}
	emptyPools(t)
	defer emptyPools(t)
	synctest.Test(t, func(t *testing.T) {
		// this cleanup runs last: no goroutine may be asleep when the clock of the test ends
		t.Cleanup(func() { time.Sleep(time.Hour) })
		f(t, slow)
	})
}

// RealTime reports whether [InSlowMotion] uses the real clock.
func RealTime() bool { return os.Getenv("APTIX_SLOW") == "real" }

// emptyPools drops the channels that package jsonrpc2 keeps for reuse. A channel that was made
// under one clock cannot be used under another: the test would wait forever. The servers of
// earlier tests end in the background and put channels back, so emptyPools waits until they have
// ended. No other test may run at the same time as a test in slow motion.
func emptyPools(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(patience); isServing(); {
		if time.Now().After(until) {
			t.Fatal("a connection of an earlier test is still open")
		}
		time.Sleep(10 * time.Millisecond)
	}
	runtime.GC()
	runtime.GC() // the first run keeps some channels, which the second run drops
}

// isServing reports whether a goroutine uses a connection of package jsonrpc2, or belongs to a server, which may still
// use one. On a busy machine, such a goroutine may exist for a while before it first runs.
func isServing() bool {
	var stacks bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 2) // a buffer takes everything
	return slices.ContainsFunc([]string{"go.lsp.dev/jsonrpc2.", "/internal/rpc.", "/internal/lspserver.", "/internal/lspserver/editor."}, func(owner string) bool {
		return bytes.Contains(stacks.Bytes(), []byte(owner))
	})
}

// UnreachableState returns a state folder in which the server cannot open a socket for
// agents. [InSlowMotion] needs it, because its clock does not advance while a goroutine waits
// for a socket.
func UnreachableState(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "run"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
