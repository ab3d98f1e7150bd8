package hunk

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
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
		b.id = diff.BlobID(prefix, b.text)
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

// edited are the parts of a text after sorted edits.
func edited(s string, sorted []text.Edit) (parts []string) {
	at := 0
	for _, e := range sorted {
		parts = append(parts, s[at:e.Span.Start], e.New)
		at = e.Span.End
	}
	return append(parts, s[at:])
}
