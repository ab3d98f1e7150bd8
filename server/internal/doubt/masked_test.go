package doubt

import (
	"slices"
	"strings"
	"testing"
)

// TestMaskSigns checks that each match of mask has one of maskSigns, and that no sign is superfluous.
func TestMaskSigns(t *testing.T) {
	shown := []string{`k = "***"`, `k = "•••"`, `k = "●●●"`, `k = "██"`, `k = "xxxxxx"`, `k = XXXXXX`, `k = "[hidden value]"`, `k = '[hidden value]'`, "k = `[hidden value]`",
		`k = "..."`, `k = "…"`, `k = "<redacted>"`, `k = <your api key>`, `k = "your_key_here"`, `k = MY_KEY_HERE`, `k: Your Key Here`, `k = "YOUR_KEY"`,
		`k = Redacted`, `k = redacted`, `k = REDACTED`, `k = insert_key_here`, `k = Insert Key Here`, `a@[email protected]`,
		`u:[REDACTED]@h`, `u:[removed]@h`, `u:[DB_PASSWORD]@h`, `h = [removed: a name]`, `h = [REDACTED: a name]`, `k = <PERSON_1>`}
	used := map[string]bool{}
	for _, line := range shown {
		matches := mask.FindString(line) + maskOfProgram.FindString(line)
		if matches == "" || !mayMask(line) {
			t.Errorf("%q: mask matches: %q, and a sign is in it: %v; want both", line, matches, mayMask(line))
		}
		for _, sign := range maskSigns {
			used[sign] = used[sign] || strings.Contains(matches, sign)
		}
	}
	if i := slices.IndexFunc(maskSigns, func(sign string) bool { return !used[sign] }); i >= 0 {
		t.Errorf("no example has the sign %q", maskSigns[i])
	}
	for _, line := range []string{`k = "xXxXxX"`, `k = rEDACTED`, `k = "your_key_hERE"`} {
		if mask.MatchString(line) {
			t.Errorf("mask matches %q, which has no sign", line)
		}
	}
}
