package hunk

import (
	"crypto/sha1"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// The id of a text with edits is git's id of what they make of it.
func TestBlobID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, -1, 100).Draw(t, "text")
		for len(s) > 0 && len(s) < 70<<10 && rapid.Bool().Draw(t, "longer") {
			s += s
		}
		var edits []text.Edit
		for at := 0; at < len(s); {
			start := rapid.IntRange(at, len(s)).Draw(t, "start")
			end := rapid.IntRange(start, len(s)).Draw(t, "end")
			edits = append(edits, text.Edit{Span: text.Span{Start: start, End: end}, New: rapid.String().Draw(t, "new")})
			at = end + 1
		}
		after, err := text.Apply(s, edits)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(after), after)))
		if got := blobID(s, edits); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}
