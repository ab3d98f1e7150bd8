package lsptest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// slow is what an editor on an overloaded machine takes for one step.
const slow = 10 * time.Second

// InSlowMotion runs a test of an editor for its [Client.Slow]. The test has a clock of its own, which skips the time in which
// everything waits. With APTIX_SLOW=real, time passes as it does outside.
func InSlowMotion(t *testing.T, f func(t *testing.T, slow time.Duration)) {
	t.Helper()
	if RealTime() {
		t.Parallel()
		f(t, slow)
		return
	}
	emptyPools()
	defer emptyPools()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Hour) }) // the last one: no goroutine may be asleep when the clock ends
		f(t, slow)
	})
}

// RealTime reports whether the clock of [InSlowMotion] is that of the outside.
func RealTime() bool { return os.Getenv("APTIX_SLOW") == "real" }

// emptyPools drops what package jsonrpc2 keeps for the next call: a channel that was made under one clock cannot be used
// under another. No test may run beside one in slow motion.
func emptyPools() {
	runtime.GC()
	runtime.GC() // a sync.Pool survives one
}

// UnreachableState is a state folder for [InSlowMotion]: its server opens no socket for agents, as a clock that skips time
// does not go on while a socket is waited for.
func UnreachableState(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "run"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
