package lspserver

import (
	"testing"
	"testing/synctest"
	"time"
)

// If a look at a thousand files on a slow disk takes long, more effects arrive in the
// meantime.
func TestLooksAgainWhereALookTakesLong(t *testing.T) {
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

func TestLooksNoLongerWhereNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lookAgain(t.Context(), time.Second, func() (int, bool, <-chan struct{}) { return 1, false, nil })
		if took := time.Since(began); took != time.Second {
			t.Errorf("it looked for %v", took)
		}
	})
}
