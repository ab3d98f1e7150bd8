package linepatch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../../../"

// The tables of docs/lines.md name cases that exist, and its example can be applied
// to what it speaks of.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash(root + "docs/lines.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			named++
			if _, err := os.Stat(filepath.FromSlash(root + "testdata/cases/lines/" + m[1] + ".txtar")); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(cells[2]), err)
			}
		}
	}
	if named < 50 {
		t.Errorf("the tables name %d cases", named)
	}
	_, example, _ := strings.Cut(string(data), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	if got, out := run(t, example, "one\ntwo\nthree\n"); got != "one\n2\nthree\nfour\n" {
		t.Errorf("%q, %+v", got, out)
	}
}
