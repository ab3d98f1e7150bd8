package lsptest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// slow is the time that an editor on an overloaded machine takes for one step.
const slow = 10 * time.Second

// InSlowMotion runs a test with a slow editor (see [Client.Slow]). The test has its own clock,
// which skips the time in which everything waits. With APTIX_SLOW=real, time passes normally.
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
		t.Cleanup(func() { time.Sleep(time.Hour) }) // must be the last one: no goroutine may be asleep when the clock ends
		f(t, slow)
	})
}

// RealTime reports whether [InSlowMotion] uses the real clock.
func RealTime() bool { return os.Getenv("APTIX_SLOW") == "real" }

// emptyPools drops the channels that package jsonrpc2 keeps for the next call, because a channel
// that was made under one clock cannot be used under another. No other test may run at the same
// time as one in slow motion.
func emptyPools() {
	runtime.GC()
	runtime.GC() // a sync.Pool survives one collection
}

// UnreachableState returns a state folder for [InSlowMotion]. Its server opens no socket for
// agents, because a clock that skips time stands still while a socket is awaited.
func UnreachableState(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "run"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
