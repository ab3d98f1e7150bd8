package paths

import "testing"

func TestIsSameName(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"read-me.md", "Read-Me.md", true},
		{"read-me.md", "read\u2011me.md", true},      // a no-break hyphen
		{"read me.md", "read\u00a0me.md", true},      // a no-break space
		{"read me.md", "read%20me.md", true},         // as in a web address
		{"größe.md", "gr%C3%B6%C3%9Fe.md", true},     // as in a web address
		{"read-me.md", "\u200eread-me.md", true},     // a direction mark
		{"100%.md", "100%.md", true},                 // no escape
		{"read-me.md", "read_me.md", false},          // another name
		{"read me.md", "read+me.md", false},          // another name
		{"a%20b%20c.md", "a b%20d.md", false},        // another name
		{"naïve-one.md", "naïve\u2014two.md", false}, // another name
	} {
		if got := IsSameName(tt.a, tt.b); got != tt.same {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}
