package lazyregexp

import "testing"

func TestABrokenOnePanicsInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	New("(")
}
