package check

import (
	"testing"
	"testing/fstest"
)

// A command that first changes to the workspace's own folder, or to a folder in it, is
// repaired. A command that changes to another folder is not (rule P12).
func TestCommandInItsFolder(t *testing.T) {
	for dir, want := range map[string]State{"/base/dir": Ready, "/base/dir/": Ready, `"/base/dir"`: Ready, "/base/dir/src": Ready, "/base/other": Failed, "/base": Failed} {
		path := "src/a.txt"
		if dir == "/base/dir/src" {
			path = "a.txt"
		}
		doc := "```sh\ncd " + dir + " && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: " + path + "\n@@\n-a\n+b\n*** Update File: " + path + "\n@@\n-c\n+d\n*** End Patch\nEOF\n```\n"
		tree := fstest.MapFS{"src/a.txt": {Data: []byte("a\nc\n")}}
		r, err := CheckFixed(t.Context(), []Document{{Name: "reply.md", Text: doc}}, Where{Tree: tree, Base: "/base/dir"}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Blocks[0].State; got != want {
			t.Errorf("cd %s: %s, want %s: %+v", dir, got, want, r.Blocks[0].Diagnostics)
		}
	}
}
