package plan

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// If a past marks a file as plain UTF-8 without decoding it, decoding the file gives the same answer, even if edits cut
// characters or insert binary data.
func TestPastDecodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b\n", "é", "\ufeff", "\x00", "\xff\xfe", "\xc3"}), 0, 4).Draw(t, label), "")
		}
		var p past
		v := versionOf(text.Content{Exists: true, Data: draw("file")})
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			s := v.bytes()
			want, enc, wantErr := text.Decode(s)
			got, as, err := p.decode(v, false, nil)
			if as != enc || err != wantErr || err == nil && got.String() != want {
				t.Fatalf("%q is %v in %v, %v; not %q in %v, %v", s, got, as, err, want, enc, wantErr)
			}
			if err != nil || enc != text.UTF8 {
				return
			}
			from := rapid.IntRange(0, len(s)).Draw(t, "from")
			edits := []text.Edit{{Span: text.Span{Start: from, End: rapid.IntRange(from, len(s)).Draw(t, "to")}, New: draw("new")}}
			if rapid.Bool().Draw(t, "searched") {
				got.Contains("a") // a search, so that the text is indexed
			}
			after, err := got.Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			p.follow(got, edits, after)
			v.data, v.text, v.plain = "", after, after == p.plain
		}
	})
}
