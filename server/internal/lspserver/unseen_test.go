package lspserver_test

import (
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// markdownOnly configures an editor that reports only the documents of one language.
func markdownOnly(c *lsptest.Client) { c.Options = map[string]any{"opensTouched": false} }

// An editor that reports few documents may have any other file open, with text that the server does not see. So the
// server does not ask it to edit other files.
func TestUnseenFilesAreWrittenToDisk(t *testing.T) {
	c := serve(t, tree, markdownOnly)
	openReply(c, reply)
	r := apply(t, c, nil)
	if !r.Applied || !r.Verified || r.Lasting != "4 files were written to disk; undo does not restore them" {
		t.Errorf("got %+v", r)
	}
	if edits := c.Editor.Applied(); len(edits) > 0 {
		t.Errorf("it was asked for %+v", edits)
	}
	diskHas(t, c, tree, done)
	if back := revert(t, c, protocol.RevertParams{ID: r.ID}); !back.Applied || !back.Verified {
		t.Errorf("got %+v", back)
	}
	diskHas(t, c, tree, nil)
}

// The documents that such an editor reports are edited in the editor, with their unsaved text. If the
// editor refuses, nothing is written.
func TestUnseenBesideOpenFiles(t *testing.T) {
	for _, refuses := range []bool{true, false} {
		c := serve(t, tree, markdownOnly)
		c.Editor.Open("a.txt", "markdown")
		c.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\n"})
		c.Editor.Behave(lsptest.Behavior{Refuse: refuses})
		openReply(c, reply)
		r := apply(t, c, nil)
		if r.Applied == refuses || r.Verified == refuses {
			t.Errorf("got %+v", r)
		}
		want := map[string]string{"a.txt": "zero\n" + tree["a.txt"]}
		if !refuses {
			want = map[string]string{"a.txt": "zero\none\n2\nthree\n", "b.txt": done["b.txt"], "gone.txt": "", "dir/new.txt": done["dir/new.txt"]}
		}
		diskHas(t, c, tree, want)
	}
}
