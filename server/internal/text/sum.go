package text

import (
	"crypto/sha256"
	"unsafe"
)

// Sums are the SHA-256 of the bytes of a file before and after a change. That of a file
// that is not there has no meaning.
type Sums struct{ Before, After [sha256.Size]byte }

// Sum is the SHA-256 of the bytes of a string.
func Sum(s string) [sha256.Size]byte { return sha256.Sum256(Bytes(s)) }

// Bytes are those of a string, without a copy, for functions that only read them: no one
// may write to them.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
