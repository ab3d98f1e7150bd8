package history

import "github.com/google/uuid"

// NewID returns a UUIDv7: IDs sort by the time they were made, to the millisecond, and
// grow from one call to the next in one process. It panics where the system has no
// randomness.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
