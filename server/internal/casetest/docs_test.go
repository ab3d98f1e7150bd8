package casetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tables of the documentation that list what the specifications ask for name cases
// that exist.
func TestDocsNameCases(t *testing.T) {
	for format, want := range map[string]struct {
		least  int
		before string // the heading below which tables are about something else
	}{
		"ap":    {80, "## Where the specification is open"},
		"lines": {least: 50},
	} {
		data, err := os.ReadFile(filepath.FromSlash("../../../docs/" + format + ".md"))
		if err != nil {
			t.Fatal(err)
		}
		tables := string(data)
		if want.before != "" {
			tables, _, _ = strings.Cut(tables, want.before)
		}
		if named := casesNamed(t, format, tables); named < want.least {
			t.Errorf("the tables of docs/%s.md name %d cases", format, named)
		}
	}
}

// casesNamed counts the cases that the last column of tables names.
func casesNamed(t *testing.T, format, tables string) (named int) {
	for row := range strings.Lines(tables) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			named++
			if _, err := os.Stat(filepath.Join(casesDir, format, m[1]+".txtar")); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(cells[2]), err)
			}
		}
	}
	return named
}
