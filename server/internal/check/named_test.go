package check

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// A file whose name belongs to one format gets a diagnostic with a place, whatever its
// content. Any other text without blocks gets none.
func TestNamedFilesHaveDiagnostics(t *testing.T) {
	for _, text := range []string{"", "\n", "hello world\n", `{"root": "."`, `{"name": "x"}`, "[1, 2]", "null", "\xff\xfe{", "\x00\x01", "Index: a.txt\n"} {
		for name, ours := range map[string]bool{
			"a.aptix.json": true, "A.APTIX.JSON": true, "a.ap": true, "a.patch": true, "a.diff": true,
			"a.json": false, "a.md": false, "a.txt": false, "-": false,
		} {
			r, err := Check(context.Background(), []Document{{Name: name, Text: text}}, Where{Tree: fstest.MapFS{}})
			if err != nil {
				t.Fatal(err)
			}
			found := len(r.Blocks) == 1 && r.Blocks[0].State == Failed && diag.HasErrors(r.Blocks[0].Diagnostics)
			if found != ours || !ours && len(r.Blocks) > 0 {
				t.Errorf("%s with %q: %d blocks, an error: %v", name, text, len(r.Blocks), found)
			}
		}
	}
}

// If a file is a reply, it does not matter that its name belongs to a format.
func TestNamedFilesMayHoldReplies(t *testing.T) {
	for text, want := range map[string]int{
		"Do this:\n```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n```\n": 1,
		"A patch cannot be safely generated with the information provided.\n":     0,
	} {
		r, err := Check(context.Background(), []Document{{Name: "a.ap", Text: text}}, Where{Tree: fstest.MapFS{}})
		if err != nil || len(r.Blocks) != want || r.Declined != (want == 0) {
			t.Errorf("%q: %d blocks, declined: %v, %v", text, len(r.Blocks), r.Declined, err)
		}
	}
}
