package check

import (
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// Limits of one reply (rule R45). They count work, never time, so that the same reply is
// cut off at the same place everywhere.
const (
	mostBlocks  = 5_000
	mostContent = 256 << 20 // bytes that blocks unpack to, beyond their own text
)

// meterOf returns the budget of documents that are checked together.
func meterOf(docs []Document) *meter.Meter {
	size := 0
	for _, doc := range docs {
		size += len(doc.Text)
	}
	return meter.New(size)
}
