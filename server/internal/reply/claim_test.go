package reply

import "testing"

func TestPrepositionsBeforeNames(t *testing.T) {
	for _, tc := range []struct {
		before         string
		partOf, source bool
	}{
		{"Remove the call from `", true, true},
		{"Удалите вызов из `", true, true},
		{"Исправьте опечатку в `", true, false},
		{"in the file `", true, false},
		{"Замените вызов `", false, false},
		{"Удалите показ `", false, false},
		{"Begin `", false, false},
		{"", false, false},
	} {
		if got := partOf.MatchString(tc.before); got != tc.partOf {
			t.Errorf("partOf for %q: %t", tc.before, got)
		}
		if got := source.MatchString(tc.before); got != tc.source {
			t.Errorf("source for %q: %t", tc.before, got)
		}
	}
}
