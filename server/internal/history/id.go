package history

import "github.com/google/uuid"

// NewID returns a UUIDv7. IDs sort by their time of creation, to the millisecond, and grow
// from one call to the next within a process. It panics if the system has no randomness.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
