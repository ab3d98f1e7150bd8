package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPlain(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "!", " ", "[", "]", "\"", "#", "'", "\\", "\x1f", "\x00", "\n", "é", "\x80", "\xa0", "\xdc", "\xff", "plain text of some length"})
	ended := 0
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat("x", rapid.IntRange(0, 20).Draw(t, "plain"))
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			s += piece.Draw(t, "piece")
		}
		quote := rapid.SampledFrom([]byte(`"'`)).Draw(t, "quote")
		want := 0
		for want < len(s) && s[want] >= ' ' && s[want] != quote && s[want] != '\\' {
			want++
		}
		if want > 8 && want < len(s) {
			ended++
		}
		if got := Plain(s, quote); got != want {
			t.Fatalf("Plain(%q, %q) = %d, want %d", s, quote, got, want)
		}
	})
	if ended < 5 {
		t.Errorf("%d texts have a long plain part", ended)
	}
}
