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

// usableID reports whether an id is one of a file, and has enough digits to tell which.
func usableID(id string) bool { return len(id) >= fewestDigits && strings.Trim(id, "0") != "" }

// A blob is a text of which git's id is asked for. The id is made once: to hash a file is
// most of the work of placing hunks in it.
type blob struct {
	text string
	id   string // "" until it is asked for
	lf   *blob  // with LF for CRLF; nil where there is none, or until it is asked for
}

// is reports whether the id begins with the digits given. Fewer than git ever writes prove
// nothing.
func (b *blob) is(prefix string) bool {
	if !usableID(prefix) {
		return false
	}
	if b.id == "" {
		b.id = blobID(b.text, nil)
	}
	return strings.HasPrefix(b.id, strings.ToLower(prefix))
}

// isText reports the same of the text, its line endings aside: git may convert them when
// it checks a file out.
func (b *blob) isText(prefix string) bool {
	if b.is(prefix) {
		return true
	}
	if b.lf == nil && usableID(prefix) && strings.Contains(b.text, "\r\n") {
		b.lf = &blob{text: strings.ReplaceAll(b.text, "\r\n", "\n")}
	}
	return b.lf != nil && b.lf.is(prefix)
}

// blobID is git's id of what sorted edits make of a text.
func blobID(s string, sorted []text.Edit) string {
	size := len(s)
	for _, e := range sorted {
		size += len(e.New) - e.Span.Len()
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	at := 0
	for _, e := range sorted {
		h.Write(text.Bytes(s[at:e.Span.Start]))
		h.Write(text.Bytes(e.New))
		at = e.Span.End
	}
	h.Write(text.Bytes(s[at:]))
	return hex.EncodeToString(h.Sum(nil))
}
