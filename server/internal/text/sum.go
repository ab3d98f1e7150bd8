package text

import (
	"crypto/sha256"
	"encoding/hex"
	"unsafe"
)

// Sums are the SHA-256 hashes of a file's bytes before and after a change. The hash of a
// missing file has no meaning.
type Sums struct{ Before, After [sha256.Size]byte }

// Sum returns the SHA-256 hash of a string's bytes.
func Sum(s string) [sha256.Size]byte { return sha256.Sum256(Bytes(s)) }

// SumHex returns the same hash as hexadecimal digits.
func SumHex(s string) string {
	sum := Sum(s)
	return hex.EncodeToString(sum[:])
}

// Bytes returns the bytes of a string without copying them. Nobody may write to them.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
