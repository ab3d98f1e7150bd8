package replies

import (
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
)

// If a text has elisions, the block's state counts the parts of the file that it leaves
// unchanged.
func TestStateOfElidedText(t *testing.T) {
	tree := fstest.MapFS{"src/a.py": {Data: []byte("import os\n\nhost = 'a'\nport = 80\nkind = 3\n\nprint(port)\nprint(kind)\n")}}
	for reply, want := range map[string]string{
		"`src/a.py`\n```\n...\nhost = 'a'\nport = 8080\nkind = 3\n# ... existing code ...\n```\n": "1 file +1 −1, 2 parts left as they are",
		"`src/a.py`\n```\nimport os\nimport sys\n\nhost = 'a'\n# ... existing code ...\n```\n":    "1 file +1 −0, 1 part left as it is",
	} {
		r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: reply}}, check.Where{Tree: tree})
		if err != nil || len(r.Blocks) != 1 {
			t.Fatal(err, len(r.Blocks))
		}
		if got := stateText(r.Blocks[0]); got != want {
			t.Errorf("%q, want %q: %v", got, want, r.Blocks[0].Diagnostics)
		}
	}
}
