package editor

import (
	"testing"
	"testing/synctest"
	"time"
)

// The server looks again while each look finds more. This is true even if one look takes longer than the wait, for
// example because it looks at a thousand files on a slow disk.
func TestSlowLooksAreRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reported := make(chan struct{})
		close(reported)
		n := 0
		lookAgain(t.Context(), time.Second, func() (int, bool, <-chan struct{}) {
			time.Sleep(3 * time.Second)
			n++
			return n, n == 50, reported
		})
		if n != 50 {
			t.Errorf("it ended after %d looks, and each had found more", n)
		}
	})
}

func TestLooksEndIfNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lookAgain(t.Context(), time.Second, func() (int, bool, <-chan struct{}) { return 1, false, nil })
		if took := time.Since(began); took != time.Second {
			t.Errorf("it looked for %v", took)
		}
	})
}
