package gitdiff

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// For any patch, all spans lie inside the patch, and fixes can be applied. Applying certain fixes one after the other
// comes to an end. Every section without an error has a change.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n" + edit,
		"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n\n+b\n",
		"diff --git a/x b/y\nsimilarity index 90%\nrename from a/x\nrename to b/y\n@@ ... @@\n a\nb\n+c\n",
		"diff --git \"a/\\t\" b/y\nold mode 100644\nnew mode 120000\ndeleted file mode 644\n",
		"*** Begin Patch\n*** Update File: x\n*** Move to: y\n@@ def a\n@@ def b\n a\n-b\n*** End of File\n*** Add File: z\n+a\nb\n*** Delete File: q\n*** End Patch\n",
		"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n--- a/x 2020-01-01 00:00:00\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No\n+b\n-- \n2.39.5\n\nbye\n```\n",
		"  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -a\n  +b\n",
		"diff --git a/e b/e\nindex 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\nGIT binary patch\nliteral 0\nHcmV?d00001\n\ndelta 3\nKcmZ\n\n",
		"diff --cc x\n@@@ -1,1 -1,1 +1,1 @@@\n+++ x\n@@ -1 +1 @@\n+++ y\r\n",
		"0\n--- \n@@ ",
		"@@@ @@\r\n--- a/d/x\r\n+++ d/x\r\n@@-1 +1@@\r\n-a\r\n+b\r\n\r\n+c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		Shaped(body)
		Begins(body)
		seen := map[string]bool{}
		for range 200 {
			p := Parse(body, nil)
			checkSpans(t, body, p)
			fixed := fixOne(t, body, p)
			if fixed == body {
				return
			}
			if seen[fixed] {
				t.Fatalf("certain fixes go in a circle at %q", fixed)
			}
			seen[fixed], body = true, fixed
		}
		if len(body) < 1000 {
			t.Fatalf("certain fixes do not end: %q", body)
		}
	})
}

func checkSpans(t *testing.T, body string, p Patch) {
	t.Helper()
	whole := text.Span{End: len(body)}
	inside := func(what string, s text.Span) {
		if s.Start > s.End || !whole.Contains(s) {
			t.Fatalf("%s is at %v of %q", what, s, body)
		}
	}
	for _, d := range p.Diagnostics {
		inside(string(d.Code), d.Span)
		checkFixes(t, body, d)
	}
	if p.Readable != len(p.Set.Changes) || p.Readable > p.Entries || p.Entries > p.Readable && !diag.HasErrors(p.Diagnostics) {
		t.Fatalf("%d entries, %d readable, %d changes, %v in %q", p.Entries, p.Readable, len(p.Set.Changes), p.Diagnostics, body)
	}
	for _, c := range p.Set.Changes {
		inside("change", c.At)
		inside("path", c.PathAt.Span)
		inside("to", c.ToAt.Span)
		if c.PathAt.As != nil {
			c.PathAt.As.Write("x y")
		}
		for _, s := range c.Steps {
			inside("step", s.Span())
			for _, part := range s.Parts() {
				inside("part", part)
				if !s.Span().Contains(part) {
					t.Fatalf("part %v of step %v in %q", part, s.Span(), body)
				}
			}
			checkStep(t, body, s)
		}
	}
}

func checkStep(t *testing.T, body string, s intent.Step) {
	t.Helper()
	for _, target := range []string{"", "a\nb\nc\n", "\ufeffa\r\nb"} {
		out := s.Resolve(intent.Target{Text: place.NewText(target)})
		if _, err := text.Apply(target, out.Edits); err != nil {
			t.Fatalf("%v in %q", err, body)
		}
		for _, d := range out.Problems {
			checkFixes(t, body, d)
		}
	}
}

func checkFixes(t *testing.T, body string, d diag.Diagnostic) {
	t.Helper()
	for _, fix := range d.Fixes {
		if _, err := text.Apply(body, fix.Edits); err != nil {
			t.Fatalf("%s, %q: %v in %q", d.Code, fix.Title, err, body)
		}
	}
}

// fixOne applies the first fix that is certain.
func fixOne(t *testing.T, body string, p Patch) string {
	t.Helper()
	for _, d := range p.Diagnostics {
		for _, fix := range d.Fixes {
			if fix.Preferred {
				fixed, err := text.Apply(body, fix.Edits)
				must(t, err)
				return fixed
			}
		}
	}
	return body
}

// Parsing a patch takes time proportional to its size.
func BenchmarkParse(b *testing.B) {
	for name, patch := range map[string]string{
		"files":   strings.Repeat("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"+strings.Repeat(edit, 3), 1000),
		"stray":   strings.Repeat("@@ ... @@\n", 100000),
		"empty":   "--- a/x\n+++ b/x\n" + edit + strings.Repeat("\n", 200000) + "+a\n",
		"names":   "diff --git " + strings.Repeat("a ", 50000) + "\n",
		"slashes": "--- " + strings.Repeat("/", 100000) + "\n+++ a\n@@\n",
		"lines":   "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" + strings.Repeat("}\n+b\n", 50000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(patch)))
			for b.Loop() {
				Parse(patch, nil)
			}
		})
	}
}
