package meter

import (
	"context"
	"runtime"
	"testing"
)

func TestMeter(t *testing.T) {
	m := New(10)
	if all := grant + 10*perByte; !m.Pay(all) || m.Spent() || m.Left() != 0 {
		t.Errorf("%d units are left of %d, spent: %v", m.Left(), all, m.Spent())
	}
	if m.Pay(1) || !m.Spent() {
		t.Error("it is not spent")
	}
	m.Allow(1 << 20)
	if m.Pay(0) || !m.Spent() {
		t.Error("a spent meter pays again")
	}
	ctx, cancel := context.WithCancel(t.Context())
	m = New(0)
	defer m.EndWith(ctx)()
	cancel()
	for !m.Spent() {
		runtime.Gosched()
	}
	var free *Meter
	free.Allow(1)
	if !free.Pay(1<<40) || free.Spent() {
		t.Error("a nil meter has a bound")
	}
}
