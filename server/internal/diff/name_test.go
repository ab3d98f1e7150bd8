package diff

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A quoted name is one line and is read back unchanged, whatever follows it.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a/ \"\\\t\n\v\x00\x7fü\u202e\ufffd")))).Draw(t, "name")
		if rapid.Bool().Draw(t, "invalid") {
			name += "\xff\n"
		}
		quoted := QuoteName(name)
		if strings.ContainsAny(quoted, "\t\n") {
			t.Fatalf("%q is written %q", name, quoted)
		}
		if !strings.HasPrefix(quoted, `"`) {
			if quoted != name {
				t.Fatalf("%q is written %q", name, quoted)
			}
			return
		}
		if got, size, ok := UnquoteName(quoted + ` "more"`); !ok || got != name || size != len(quoted) {
			t.Fatalf("%q is written %q, and read as %q", name, quoted, got)
		}
	})
}
