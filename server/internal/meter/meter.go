// Package meter limits the work that one reply causes. It counts units and never uses a clock, so that work on a reply
// stops at the same place on every machine.
package meter

import (
	"context"
	"math"
	"sync/atomic"
)

// A unit is about a nanosecond of work: comparing one byte, or searching a few bytes.
const (
	// Line is the cost of one step for one line, such as folding, hashing or comparing the line.
	Line = 32

	grant   = 3 << 30
	perByte = 64
)

// A Meter holds the remaining budget of one reply. Code that searches, compares or counts pays before it works, or in
// small parts meanwhile. A spent meter stays spent. From then on, a search may return anything, because the reply is
// refused. A nil Meter has no limit. A Meter is safe for concurrent use.
type Meter struct{ left atomic.Int64 }

// New returns a meter for a reply of the given length in bytes.
func New(reply int) *Meter {
	m := new(Meter)
	m.left.Store(grant)
	m.Allow(reply)
	return m
}

// EndWith spends the whole budget when ctx is done, so that a canceled check ends soon. The function stop detaches the
// meter from ctx.
func (m *Meter) EndWith(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() { m.left.Store(math.MinInt64 / 2) })
}

// Allow raises the limit by the cost of reading the given number of bytes, so that a large file alone does not exceed
// the limit.
func (m *Meter) Allow(bytes int) {
	if m != nil && !m.Spent() {
		m.left.Add(int64(bytes) * perByte)
	}
}

// Pay spends units, and reports whether the budget sufficed.
func (m *Meter) Pay(units int) bool { return m == nil || m.left.Add(-int64(units)) >= 0 }

// Spent reports whether the reply has exceeded its budget.
func (m *Meter) Spent() bool { return m != nil && m.left.Load() < 0 }

// Left returns the remaining units. It returns 0 if the Meter is nil.
func (m *Meter) Left() int {
	if m == nil {
		return 0
	}
	return int(max(m.left.Load(), 0))
}
