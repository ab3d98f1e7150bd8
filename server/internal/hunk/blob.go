package hunk

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// fewestDigits is how many digits of an id git writes at least.
const fewestDigits = 4

// isBlob reports whether git's id of data begins with the digits given. Fewer than
// git ever writes prove nothing.
func isBlob(data, prefix string) bool {
	if !usableID(prefix) {
		return false
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(text.Bytes(data))
	return strings.HasPrefix(hex.EncodeToString(h.Sum(nil)), strings.ToLower(prefix))
}

// usableID reports whether an id is one of a file, and has enough digits to tell which.
func usableID(id string) bool { return len(id) >= fewestDigits && strings.Trim(id, "0") != "" }
