package gitdiff

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// In every patch, the text in ⟦ ⟧ is the range of its only diagnostic; fixed is the patch
// after the diagnostic's first fix. "!" before fixed means that the fix is certain.
func TestDiagnostics(t *testing.T) {
	const head = "--- a/x\n+++ b/x\n"
	const newHead = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n"
	for _, tt := range []struct {
		code         diag.Code
		patch, fixed string
	}{
		{diag.GitNoPatch, "⟦hello⟧\n", ""},
		{diag.GitNoPatch, "⟦⟧", ""},
		{diag.GitBOM, "⟦" + bom + "⟧" + head + edit, "!" + head + edit},
		{diag.GitIndented, "⟦  ⟧--- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -a\n\n  +b\n", "!--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\n+b\n"},
		{diag.GitProse, head + edit + "\n⟦That is all.\n```⟧\n", "!" + head + edit + "\n"},
		{diag.GitCombined, "⟦diff --cc x⟧\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", ""},
		{diag.GitSubmodule, "diff --git a/m b/m\nindex 1111111..2222222 ⟦160000⟧\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", "" +
			""},
		{diag.GitHeader, "diff --git a/n b/n\ndeleted file mode ⟦644⟧\n", "!diff --git a/n b/n\ndeleted file mode 100644\n"},
		{diag.GitHeader, "diff --git a/n b/n\nnew file mode ⟦40000⟧\n", ""},
		{diag.GitHeader, "diff --git a/x b/x\n" + head + "⟦⟧\n" + edit, "!diff --git a/x b/x\n" + head + edit},
		{diag.GitHeader, "diff --git a/x b/x\nindex 1..2\n⟦modified: x⟧\n" + head + edit, "diff --git a/x b/x\nindex 1..2\n" + head + edit},
		{diag.GitHeader, "diff --git a/n b/n\nnew file mode 100644\n⟦deleted file mode 100644⟧\n", ""},
		{diag.GitHeader, "diff --git a/x b/x\n--- a/x⟦ 2020-01-01 00:00:00⟧\n+++ b/x\n" + edit, "!diff --git a/x b/x\n" + head + edit},
		{diag.GitHeader, "diff --git a/n b/n\nnew file mode 100644\n⟦--- a/n⟧\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", "!diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{diag.GitHeaderMissing, "diff --git a/n b/n\n⟦--- /dev/null⟧\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", "!" + newHead + "@@ -0,0 +1 @@\n+a\n"},
		{diag.GitHeaderMissing, "diff --git a/x b/x\n--- a/x\n⟦+++ /dev/null⟧\n@@ -1 +0,0 @@\n-a\n", "!diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{diag.GitHeaderMissing, "⟦diff --git a/x b/x⟧\n" + edit, "!diff --git a/x b/x\n" + head + edit},
		{diag.GitHeaderMissing, "diff --git a/x b/x\n⟦+++ b/x⟧\n" + edit, "!diff --git a/x b/x\n" + head + edit},
		{diag.GitHeaderMissing, "⟦--- a/x⟧\n" + edit, "!" + head + edit},
		{diag.GitHeaderMissing, "⟦+++ b/x⟧\n" + edit, "!" + head + edit},
		{diag.GitHeaderMissing, "⟦@@ -1 +1 @@⟧\n-a\n+b\n", ""},
		{diag.GitHeaderMissing, "⟦diff --git a/x b/z⟧\nsimilarity index 100%\n", "diff --git a/x b/z\nrename from x\nrename to z\nsimilarity index 100%\n"},
		{diag.GitHeaderMissing, "diff --git a/x b/z\n⟦rename from x⟧\n", "!diff --git a/x b/z\nrename from x\nrename to z\n"},
		{diag.GitHeaderMissing, "diff --git a/x b/x\n⟦new mode 100755⟧\n", "!diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"},
		{diag.GitNames, "--- a/x\n+++ ⟦b/y⟧\n" + edit, "--- a/x\n+++ b/x\n" + edit},
		{diag.GitNames, "diff --git a/x b/y\n--- a/x\n+++ ⟦b/y⟧\n" + edit, "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n" + edit},
		{diag.GitNames, "diff --git ⟦a/x⟧ b/x\n--- a/y\n+++ b/y\n" + edit, "diff --git a/y b/y\n--- a/y\n+++ b/y\n" + edit},
		{diag.GitPrefix, "--- a/d/x\n+++ ⟦d/x⟧\n" + edit, "!--- a/d/x\n+++ b/d/x\n" + edit},
		{diag.GitPrefix, "--- ⟦d/x⟧\n+++ b/d/x\n" + edit, "!--- a/d/x\n+++ b/d/x\n" + edit},
		{diag.GitPrefix, "--- ⟦a/a/x⟧\n+++ b/b/x\n" + edit, "!" + head + edit},
		{diag.GitPrefix, "diff --git a/x b/z\nrename from ⟦a/x⟧\nrename to b/z\n", "!diff --git a/x b/z\nrename from x\nrename to z\n"},
		{diag.GitNoHunks, "⟦--- a/x\n+++ b/x⟧\n", ""},
		{diag.GitNoHunks, "⟦diff --git a/x b/x\nindex 1..2 100644⟧\n", ""},
		{diag.GitNoHunks, "⟦" + strings.TrimSuffix(newHead, "\n") + "⟧\n", ""},
		{diag.GitHunkHeader, head + "⟦@@-1 +1@@⟧\n-a\n+b\n", "!" + head + "@@ -1 +1 @@\n-a\n+b\n"},
		{diag.GitHunkHeader, head + "⟦@@ -1,2 +1,2 @ func⟧\n a\n-a\n+b\n", "!" + head + "@@ -1,2 +1,2 @@ func\n a\n-a\n+b\n"},
		{diag.GitHunkEmpty, head + "⟦@@ -1 +1 @@⟧\n", head},
		{diag.GitLinesAfterHunk, head + edit + "\n⟦+d⟧\n", head + edit + "\n"},
		{diag.GitLinesAfterHunk, head + edit + "⟦}\n+d⟧\n", head + edit},
		{diag.GitNewFile, newHead + "⟦@@ -0,0 +1,3 @@⟧\n+a\n+b\n", "!" + newHead + "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{diag.GitNewFile, newHead + "⟦@@ ... @@⟧\n+a\n", "!" + newHead + "@@ -0,0 +1 @@\n+a\n"},
		{diag.GitNewFile, newHead + "⟦+a⟧\n+b\n", "!" + newHead + "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{diag.GitNewFile, newHead + "@@ -0,0 +1,3 @@\n+a\n⟦⟧\n+b\n", "!" + newHead + "@@ -0,0 +1,3 @@\n+a\n+\n+b\n"},
		{diag.GitNewFile, newHead + "@@ -0,0 +1,2 @@\n⟦a⟧\nb\n", "!" + newHead + "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{diag.GitNewFile, newHead + "@@ -0,0 +1,9 @@\n+a\n⟦ b⟧\n", newHead + "@@ -0,0 +1,9 @@\n+a\n+b\n"},
		{diag.GitNewFile, newHead + "@@ -0,0 +1,9 @@\n+a\n⟦-b⟧\n", ""},
		{diag.GitNewFile, newHead + "@@ -0,0 +1 @@\n+a\n⟦@@ -0,0 +2 @@⟧\n+b\n", ""},
		{diag.GitBinary, "diff --git a/x b/x\n⟦Binary files a/x and b/x differ⟧\n", ""},
		{diag.GitBinary, "diff --git a/x b/x\nindex 1..2\nGIT binary patch\n⟦hello⟧\n", ""},
		{diag.GitBinary, "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 5\n⟦Zabc⟧\n\n", ""},
		{diag.GitBinary, "⟦diff --git a/x b/x\nindex 1..2⟧\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n", ""},
		{diag.GitForeign, "*** Begin Patch\n⟦*** Add File: n⟧\n+a\n+b\n*** End Patch\n", ""},
	} {
		patch := strings.NewReplacer("⟦", "", "⟧", "").Replace(tt.patch)
		span := text.Span{Start: strings.Index(tt.patch, "⟦"), End: strings.Index(tt.patch, "⟧") - len("⟦")}
		p := Parse(patch, nil)
		if len(p.Diagnostics) != 1 {
			t.Errorf("%q: %v, want %s alone", patch, p.Diagnostics, tt.code)
			continue
		}
		d := p.Diagnostics[0]
		if d.Code != tt.code || d.Span != span {
			t.Errorf("%q: %s at %q, want %s at %q", patch, d.Code, d.Span.In(patch), tt.code, span.In(patch))
		}
		if got := firstFix(t, patch, d); got != tt.fixed && tt.fixed != "" {
			t.Errorf("%q: fixed to\n%s\nwant\n%s", patch, got, tt.fixed)
		}
		if d.Severity == diag.Error && p.Readable == p.Entries && p.Entries > 0 {
			t.Errorf("%q: an error, and all is readable", patch)
		}
	}
}

func firstFix(t *testing.T, patch string, d diag.Diagnostic) string {
	t.Helper()
	if len(d.Fixes) == 0 {
		return ""
	}
	got, err := text.Apply(patch, d.Fixes[0].Edits)
	must(t, err)
	if d.Fixes[0].Preferred {
		return "!" + got
	}
	return got
}

// A fix of a path changes all lines of the header that contain it.
func TestPathLiterals(t *testing.T) {
	const binary = "similarity index 90%\n"
	for _, tt := range []struct{ patch, path, to string }{
		{"diff --git a/x b/x\n--- a/x\n+++ b/x\n" + edit, "diff --git a/NEW b/NEW\n--- a/NEW\n+++ b/NEW\n" + edit, ""},
		{"--- x\t2020\n+++ x\n" + edit, "--- NEW\t2020\n+++ NEW\n" + edit, ""},
		{"diff --git a/x b/y\n" + binary + "rename from x\nrename to y\n", "diff --git a/NEW b/y\n" + binary + "rename from NEW\nrename to y\n", "diff --git a/x b/NEW\n" + binary + "rename from x\nrename to NEW\n"},
		{"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", "diff --git a/NEW b/NEW\nnew file mode 100644\n--- /dev/null\n+++ b/NEW\n@@ -0,0 +1 @@\n+a\n", ""},
		{"diff --git a/x b/y\n--- a/x\n+++ b/y\n" + edit, "diff --git a/NEW b/y\n--- a/NEW\n+++ b/y\n" + edit, "diff --git a/x b/NEW\n--- a/x\n+++ b/NEW\n" + edit},
	} {
		p := Parse(tt.patch, nil)
		if len(p.Set.Changes) != 1 {
			t.Fatalf("%q: %v", tt.patch, p.Diagnostics)
		}
		c := p.Set.Changes[0]
		check := func(l intent.Literal, want string) {
			t.Helper()
			for _, name := range []string{"NEW", "with blank", "quo\"te"} {
				got, err := text.Apply(tt.patch, []text.Edit{l.Set(name)})
				must(t, err)
				again := Parse(got, nil)
				if name == "NEW" && got != want {
					t.Errorf("%q: got %q", tt.patch, got)
				}
				if len(again.Set.Changes) != 1 || again.Set.Changes[0].Path != name && again.Set.Changes[0].To != name {
					t.Errorf("%q: got %+v %v", got, again.Set.Changes, again.Diagnostics)
				}
			}
		}
		check(c.PathAt, tt.path)
		if tt.to != "" {
			check(c.ToAt, tt.to)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ line, old, new string }{
		{"a/x b/x", "a/x", "b/x"},
		{"a/x y b/x y", "a/x y", "b/x y"},
		{"a/x b/x b/x b/x", "a/x b/x", "b/x b/x"},
		{`"a/\t" "b/\t"`, "a/\t", "b/\t"},
		{`a/x "b/\342\202\254"`, "a/x", "b/€"},
		{`"a/\"" b/x y`, `a/"`, "b/x y"},
		{"x x", "x", "x"},
		{"a/x b/y z", "", ""},
		{"a/x", "", ""},
	} {
		s := newSource("diff --git " + tt.line + "\n")
		old, new, ok := s.gitNames(0)
		if ok != (tt.old != "") || ok && (old.raw != tt.old || new.raw != tt.new) {
			t.Errorf("%q: %q, %q, %v", tt.line, old.raw, new.raw, ok)
		}
	}
}

func TestShape(t *testing.T) {
	for _, tt := range []struct {
		body           string
		shaped, begins bool
	}{
		{"--- a/x\n+++ b/x\n" + edit, true, true},
		{"text\n--- a/x\n+++ b/x\n" + edit, true, false},
		{"  diff --git a/x b/x\n", true, false},
		{"diff --git a/x b/x\n", true, true},
		{"-a\n+b\n", false, false},
		{" a\n-b\n+c\n", false, false},
		{"@@ ... @@\n-a\n+b\n", true, false},
		{"*** Begin Patch\n*** Update File: x\n", true, true},
		{"*** Begin Patch\n", true, false},
		{"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n\n--- a/x\n+++ b/x\n", true, true},
		{"commit 0123456\n\n    text\n", false, false},
		{bom + "\ndiff --git a/x b/x\n", true, true},
		{"diff --cc x\n", true, true},
		{"", false, false},
		{"- item\n- item\n+++ \n", false, false},
	} {
		if got := Shaped(tt.body); got != tt.shaped {
			t.Errorf("Shaped(%q) is %v", tt.body, got)
		}
		if got := Begins(tt.body); got != tt.begins {
			t.Errorf("Begins(%q) is %v", tt.body, got)
		}
	}
}
