//go:build race

package plan

// With the race detector, sync.Pool drops items at random, so a test cannot count
// allocations.
func init() { pools = false }
