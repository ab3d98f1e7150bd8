package ap

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../../../"

// The tables of docs/ap.md name cases that exist.
func TestDocsNameCases(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash(root + "docs/ap.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables, _, _ := strings.Cut(string(data), "## Where the specification is open")
	named := 0
	for row := range strings.Lines(tables) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			named++
			if _, err := os.Stat(filepath.FromSlash(root + "testdata/cases/ap/" + m[1] + ".txtar")); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(cells[2]), err)
			}
		}
	}
	if named < 80 {
		t.Errorf("the tables name %d cases", named)
	}
}
