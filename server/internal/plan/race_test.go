//go:build race

package plan

// With the race detector sync.Pool drops at random what it was given, so a test cannot count
// what is allocated.
func init() { pools = false }
