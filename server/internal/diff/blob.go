package diff

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// BlobID is git's id of a file, of which the contents are given in parts: all hexadecimal
// digits of its hash. It is a SHA-256 where like, an id of the same repository, has more
// digits than a SHA-1; else it is a SHA-1.
func BlobID(like string, parts ...string) string {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	h := sha1.New()
	if len(like) > 2*sha1.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	for _, part := range parts {
		h.Write(text.Bytes(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}
