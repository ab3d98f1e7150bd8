package hunk

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// fewestDigits is the least number of digits of an id that git writes.
const fewestDigits = 4

// usableID reports whether an id names a file, and has enough digits to identify it.
func usableID(id string) bool { return len(id) >= fewestDigits && strings.Trim(id, "0") != "" }

// A blob is a text with its git id. The id is computed once, because hashing a file is most
// of the work of placing hunks in it.
type blob struct {
	text string
	id   string // "" until it is needed
	lf   *blob  // the text with LF for CRLF; nil until it is needed, and if the text has no CRLF
}

// is reports whether the id begins with the given digits. Fewer digits than git writes prove
// nothing.
func (b *blob) is(prefix string) bool {
	if !usableID(prefix) {
		return false
	}
	if b.id == "" {
		b.id = diff.BlobID(prefix, b.text)
	}
	return strings.HasPrefix(b.id, strings.ToLower(prefix))
}

// isText is [blob.is] for a text whose line endings git may have converted on checkout.
func (b *blob) isText(prefix string) bool {
	if b.is(prefix) {
		return true
	}
	if b.lf == nil && usableID(prefix) && strings.Contains(b.text, "\r\n") {
		b.lf = &blob{text: strings.ReplaceAll(b.text, "\r\n", "\n")}
	}
	return b.lf != nil && b.lf.is(prefix)
}

// edited returns the parts of a text after edits, which must be sorted.
func edited(s string, sorted []text.Edit) (parts []string) {
	at := 0
	for _, e := range sorted {
		parts = append(parts, s[at:e.Span.Start], e.New)
		at = e.Span.End
	}
	return append(parts, s[at:])
}
