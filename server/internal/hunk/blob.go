package hunk

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// isBlob reports whether git's id of data begins with the digits given. Fewer than
// git ever writes prove nothing.
func isBlob(data, prefix string) bool {
	const fewest = 4
	if len(prefix) < fewest || strings.Trim(prefix, "0") == "" {
		return false
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	io.WriteString(h, data)
	return strings.HasPrefix(hex.EncodeToString(h.Sum(nil)), strings.ToLower(prefix))
}
