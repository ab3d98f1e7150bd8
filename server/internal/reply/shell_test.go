package reply

import (
	"fmt"
	"testing"
)

func TestEffects(t *testing.T) {
	for script, want := range map[string]string{
		"cd src\nrm a.py b.py":            "[{deletes src/a.py true 1} {deletes src/b.py true 1}]",
		"cat x | tee 'a b.txt' > c":       "[{writes c false 0} {writes a b.txt true 0}]",
		"PS> Remove-Item src\\old.py":     "[{deletes src/old.py true 0}]",
		"echo don't\ngit rm a.py":         "[{deletes a.py true 1}]",
		"sed -i s/a/b/ a.py":              "[{writes a.py true 0}]",
		"a.py -> b.py":                    "[]",
		"echo x >&2 2>/dev/null":          "[]",
		"git apply <<'E'\n+++ b/x.c\nE\n": "[{writes x.c true 0}]",
	} {
		if got := fmt.Sprint(effects(script)); got != want {
			t.Errorf("%q has the effects %s, want %s", script, got, want)
		}
	}
}
