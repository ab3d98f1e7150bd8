package check

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A block that shows its own end can be given its closing fence. An incomplete block cannot.
func TestUnclosedFence(t *testing.T) {
	bundle := "```json\n{\"root\": \".\", \"files\": [\n{\"path\": \"a.txt\", \"operation\": \"delete\"}]\n}\n"
	for name, c := range map[string]struct {
		doc   string
		fixed bool
	}{
		"a bundle":              {bundle, true},
		"a longer fence":        {"`" + strings.Replace(bundle, "```json", "```json", 1), true},
		"in a quote":            {"> " + strings.TrimSuffix(strings.ReplaceAll(bundle, "\n", "\n> "), "> "), true},
		"without a line ending": {strings.TrimSuffix(bundle, "\n"), true},
		"apply_patch":           {"```\n*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n\n", true},
		"a fence in it":         {strings.Replace(bundle, "a.txt", "a```.txt", 1), false},
		"calls in lines":        {"```\n{\"command\": \"create\", \"path\": \"b\", \"file_text\": \"\"}\n{\"command\": \"create\", \"path\": \"c\", \"file_text\": \"\"}\n", false},
		"a diff":                {"```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n", false},
		"a whole file":          {"a.txt\n```\ntwo\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{"a.txt": {Data: []byte("one\n")}}
			prefix := ""
			for line := range strings.Lines(c.doc) {
				prefix += line
				r := check(t, prefix, tree)
				if len(r.Blocks) == 0 || r.Blocks[0].Closed || len(r.Blocks[0].Diagnostics[0].Fixes) == 0 {
					continue
				}
				if !c.fixed || strings.TrimSpace(strings.TrimPrefix(c.doc, prefix)) != "" {
					t.Fatalf("a fix after %q", prefix)
				}
				fixed, err := text.Apply(prefix, r.Blocks[0].Diagnostics[0].Fixes[0].Edits)
				if err != nil {
					t.Fatal(err)
				}
				if b := check(t, fixed, tree).Blocks[0]; b.State != Ready {
					t.Fatalf("%q is %s: %+v", fixed, b.State, b.Diagnostics)
				}
				c.fixed = false
				return
			}
			if c.fixed {
				t.Error("no fix")
			}
		})
	}
}
