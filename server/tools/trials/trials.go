// Package trials decides how many trials a test makes that could make any number of them. They are
// few in `make check` (APTIX_QUICK), some in `make test`, and many each night (APTIX_LONG). The
// flag -short cannot be used instead, because with it rapid generates fewer inputs than the tests
// require.
package trials

import (
	"hash/crc32"
	"os"
	"strconv"
	"testing"
)

// Few reports whether this is the quick run before each change.
func Few() bool { return os.Getenv("APTIX_QUICK") != "" }

// Many reports whether this is the nightly run.
func Many() bool { return os.Getenv("APTIX_LONG") != "" }

// Rounds returns the number of random trials. This is APTIX_ROUNDS if it is set. Otherwise it is
// `usual`, or ten times as many each night.
func Rounds(t testing.TB, usual int) int {
	t.Helper()
	switch {
	case os.Getenv("APTIX_ROUNDS") != "":
		return Setting(t, "APTIX_ROUNDS", usual)
	case Many():
		return 10 * usual
	}
	return usual
}

// OneIn returns n if a test with numbered trials should make only one of n trials. Usually n is
// `usual`. It is 1 each night, and four times `usual` in `make check`.
func OneIn(usual int) int {
	switch {
	case Few():
		return 4 * usual
	case Many():
		return 1
	}
	return usual
}

// Picks reports whether a test that makes only one of `oneIn` trials makes the trial with the given
// name. The name alone decides, so that a new trial does not change which others are made.
func Picks(name string, oneIn int) bool {
	return crc32.ChecksumIEEE([]byte(name))%uint32(oneIn) == 0
}

// Setting returns a number from the environment. If the variable is not set, it returns `without`.
func Setting(t testing.TB, name string, without int) int {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return without
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s is %q; it must be a number", name, value)
	}
	return n
}
