// Package meter bounds the work that one reply causes. It counts units and never looks at a clock,
// so that the same reply is given up at the same place on every machine.
package meter

import "sync/atomic"

// A unit is about a nanosecond of work: a byte that is compared, or some bytes that are searched.
const (
	// Line is what it costs to look at one line: to fold it, to hash it or to compare it.
	Line = 32

	grant   = 3 << 30
	perByte = 64
)

// A Meter is what one reply may still cost. Whatever searches, compares or counts pays for it
// before, or in small parts. Once a meter is spent it stays spent: a search may return anything
// from then on, and whoever made the meter refuses the reply. A nil Meter has no bound. It is
// safe for concurrent use.
type Meter struct{ left atomic.Int64 }

// New returns a meter for a reply of a length in bytes.
func New(reply int) *Meter {
	m := new(Meter)
	m.left.Store(grant)
	m.Allow(reply)
	return m
}

// Allow raises the bound for bytes of input: to read a large file is no sign of an attack.
func (m *Meter) Allow(bytes int) {
	if m != nil && !m.Spent() {
		m.left.Add(int64(bytes) * perByte)
	}
}

// Pay takes units off the meter, and reports whether it had them.
func (m *Meter) Pay(units int) bool { return m == nil || m.left.Add(-int64(units)) >= 0 }

// Spent reports whether the reply has cost more than it may.
func (m *Meter) Spent() bool { return m != nil && m.left.Load() < 0 }

// Left returns the units that are left, and none for a nil Meter.
func (m *Meter) Left() int {
	if m == nil {
		return 0
	}
	return int(max(m.left.Load(), 0))
}
