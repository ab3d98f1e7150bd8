package lines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The example in docs/formats/lines.md applies to the file that the page shows.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../../../../docs/formats/lines.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(data), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	if got, out := run(t, example, "one\ntwo\nthree\n"); got != "one\n2\nthree\nfour\n" {
		t.Errorf("%q, %+v", got, out)
	}
}
