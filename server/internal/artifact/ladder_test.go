package artifact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// forgiven holds, for each rule, a change of a line that the rule allows and no earlier rule allows.
var forgiven = map[string]func(t *rapid.T, line string) string{
	"exact": func(_ *rapid.T, line string) string { return line },
	"line endings": func(t *rapid.T, line string) string {
		return strings.TrimSuffix(line, "\n") + rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ending")
	},
	"trailing white space": func(t *rapid.T, line string) string {
		return rapid.SampledFrom([]string{"", mark}).Draw(t, "mark") + strings.TrimSuffix(line, "\n") + rapid.StringMatching("[ \t]{1,3}\n?").Draw(t, "end")
	},
	"a uniform indentation shift": func(t *rapid.T, line string) string {
		return rapid.StringMatching("[ \t]{1,5}").Draw(t, "indentation") + line
	},
	"spacing": func(t *rapid.T, line string) string {
		return strings.ReplaceAll(line, " ", rapid.StringMatching("[ \t]{1,3}").Draw(t, "between"))
	},
	"look-alikes": func(t *rapid.T, line string) string {
		return strings.NewReplacer(`"`, "”", "'", "’", "-", "–", " ", "\u00a0").Replace(line)
	},
}

// Each rule for lines must allow the changes that it claims to allow, must not allow a different
// word, and must have all texts for messages.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for i, rule := range Table() {
		t.Run(rule.Name, func(t *testing.T) {
			if names[rule.Name] || (rule.Differs == "") != (i == 0) {
				t.Errorf("the rule lacks a name of its own or a text: %+v", rule)
			}
			names[rule.Name] = true
			change := forgiven[rule.Name]
			if (change == nil) != (rule.Fold == nil) {
				t.Fatal("a rule for lines has no example of what it forgives")
			}
			if change == nil {
				return
			}
			rapid.Check(t, func(t *rapid.T) {
				line := rapid.StringMatching(`[a-z]{1,4}( [a-z"'-]{1,4}){0,3}\n`).Draw(t, "line")
				if changed := change(t, line); rule.Fold(changed) != rule.Fold(line) {
					t.Fatalf("%q is not %q", changed, line)
				}
				if other := change(t, "x"+line); rule.Fold(other) == rule.Fold(line) {
					t.Fatalf("%q is %q", other, line)
				}
				if once := rule.Fold(line); rule.Fold(once) != once {
					t.Fatalf("%q folds to %q, and then again", line, once)
				}
			})
		})
	}
}
