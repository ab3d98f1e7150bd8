package hunk

import (
	"context"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// For any hunks, the edits fit the target, and every fix fits the block. Applying certain fixes one after the other
// comes to an end. After that, the changed hunks have nothing left to repair.
func FuzzEditor(f *testing.F) {
	f.Add("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", byte(0))
	f.Add("x\na\r\nb", "@@ @@\n a\n-b\n+c\n@@ -9,0 +9 @@\n+x\n\\ No newline at end of file\n", byte(1))
	f.Add("\xef\xbb\xbfa\n\tb\n", "@@ foo\n a\n     b\n+x\n", byte(6))
	f.Add("a\na\na\na\n", "@@ -3,2 +3,3 @@\n a\n+a\n a\n@@ -1,2 +1,1 @@\n-a\n a\n", byte(8))
	f.Add("0\n1\n", "@@ -1 +1,2 @@\n 0\n+a\n@@ -2,3 +2,3 @@\n+\n\\ No newline at end of file\n", byte(0))
	f.Fuzz(func(t *testing.T, src, body string, flags byte) {
		if !strings.HasPrefix(body, "@@") || strings.Contains(body, "\n\n") {
			return
		}
		target := intent.Target{Text: place.NewText(src), EndingsUnknown: flags&1 != 0, Applied: flags&2 != 0}
		opt := Options{WholeFile: flags&4 != 0}
		out := Patch{parse(body), opt}.Resolve(target)
		after, err := text.Apply(src, out.Edits)
		if err != nil {
			t.Fatalf("%v: %v", out.Edits, err)
		}
		for _, p := range out.Places {
			if p.Target.Start < 0 || p.Target.End < p.Target.Start || p.Target.End > len(src) {
				t.Fatalf("place %v of %d bytes", p, len(src))
			}
		}
		if len(out.Edits) == 0 && !out.Done && len(out.Problems) == 0 && after == src {
			t.Fatal("nothing is changed, and nothing said")
		}
		for _, d := range out.Problems {
			for _, fix := range d.AllFixes(context.Background()) {
				if _, err := text.Apply(body, fix.Edits); err != nil {
					t.Fatalf("%s: %v", fix.Title, err)
				}
			}
		}
		fuzzFixes(t, target, body, opt)
	})
}

func fuzzFixes(t *testing.T, target intent.Target, body string, opt Options) {
	for range 6 {
		out := Patch{parse(body), opt}.Resolve(target)
		edits := certain(out.Problems)
		if len(edits) == 0 {
			return
		}
		next, err := text.Apply(body, edits)
		if err != nil {
			t.Fatal(err)
		}
		if next == body {
			t.Fatalf("a fix changes nothing: %v", out.Problems)
		}
		body = next
	}
	t.Fatalf("fixes without end: %v\n%s", Patch{parse(body), opt}.Resolve(target).Problems, body)
}
