package diff

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"znkr.io/diff"
)

// A diff looks for the fewest edits only if they are few compared with the number of lines.
func TestBoundedIsLinear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	fewest := 0
	for _, size := range []int{100, 300, 1000, 2000, 5000} {
		for _, c := range []struct{ kinds, changed int }{{2, size}, {20, size / 10}, {20, size}, {500, size / 5}, {100_000, size}} {
			before, after := make([]string, size), make([]string, size)
			for i := range size {
				before[i] = fmt.Sprint(random.IntN(c.kinds))
				if after[i] = before[i]; random.IntN(size) < c.changed {
					after[i] = fmt.Sprint(random.IntN(c.kinds))
				}
			}
			fast := changed(diff.Edits(before, after, diff.Fast()))
			switch got := changed(Lines(before, after)); {
			case got < fast && got*got > stepsPerLine*2*size:
				t.Errorf("%d lines of %d kinds: %d edits of %d", size, c.kinds, got, fast)
			case got < fast:
				fewest++
			}
		}
	}
	if fewest == 0 {
		t.Error("the fewest edits were never searched")
	}
}
