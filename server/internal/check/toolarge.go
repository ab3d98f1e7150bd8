package check

// Bounds of one reply (rule R45): they count work, never time, so that the same reply is
// cut off at the same place everywhere.
const (
	mostBlocks  = 5_000
	mostContent = 256 << 20 // bytes that blocks unpack to, beyond their own text
)
