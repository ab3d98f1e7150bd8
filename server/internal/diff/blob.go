package diff

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// BlobID returns git's id of a file whose contents are given in parts: all hexadecimal
// digits of its hash. The hash is a SHA-256 if like, an id of the same repository, has more
// digits than a SHA-1; otherwise it is a SHA-1.
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
