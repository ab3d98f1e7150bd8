package lspserver_test

import (
	"fmt"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

// Each hunk of a preview leads to the parts of the reply that change its lines, on both sides.
func TestPartsAt(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n", "b.txt": "b\n"}, nil)
	hunks := "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n 1\n 2\n+new\n 3\n@@ -5,3 +6,3 @@\n 5\n-6\n+six\n 7\n```\n"
	c.Editor.OpenText("reply.md", "markdown", hunks+bundle(create("c.txt", "c\n"), create("d.txt", "d\n"))+"\n"+bundle(patch("b.txt", "b", "B")))
	target := protocol.Target{URI: string(c.Editor.URI("reply.md"))}
	var preview protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, &target, &preview)
	at := func(document string, line int, file bool) string {
		var r protocol.PartsAt
		c.MustCall(protocol.MethodPartsAt, &protocol.PartsAtParams{Target: target, Document: document, Line: line, File: file}, &r)
		s := r.Message
		for _, p := range r.Parts {
			s += fmt.Sprintf("%d/%d %s ", p.Block, p.Part, p.Mode)
		}
		return s
	}
	a := preview.Files[0]
	for _, check := range []struct{ got, want string }{
		{at(a.Right, 2, false), "1/1 skip "},
		{at(a.Right, 6, false), "1/2 skip "},
		{at(a.Left, 5, false), "1/2 skip "},
		{at(a.Right, 0, false), "There is no change at the cursor"},
		{at(a.Right, 0, true), "1/0 skip "},
		{at(preview.Files[2].Right, 0, false), "2/1 skip "},
		{at(preview.Files[3].Right, 0, false), "3/0 skip "},
	} {
		if check.got != check.want {
			t.Errorf("got %q, want %q", check.got, check.want)
		}
	}
}
