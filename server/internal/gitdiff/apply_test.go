package gitdiff

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

const edit = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"

// Odd patches are read as git reads them, and are refused if git refuses them. The exceptions are the differences that
// the package comment lists.
func TestOddPatches(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	before := tree{"x": {"a\nb\nc\n", 0o644}, "y": {"a\nb\nc\n", 0o644}, "e": {"", 0o644}, "dir/x": {"a\nb\nc\n", 0o644}, "x y": {"a\nb\nc\n", 0o644}}
	for _, tt := range []struct{ name, patch string }{
		{"names differ", "diff --git a/x b/z\n--- a/x\n+++ b/z\n" + edit},
		{"names differ above only", "diff --git a/x b/z\n--- a/x\n+++ b/x\n" + edit},
		{"plain names differ", "--- a/x\n+++ b/y\n" + edit},
		{"plain, a backup's name", "--- a/x.orig\n+++ b/x\n" + edit},
		{"plain, a backup's name below", "--- a/x\n+++ b/x~\n" + edit},
		{"two hunks in a new file", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n@@ -0,0 +2 @@\n+b\n"},
		{"delete without content", "diff --git a/x b/x\ndeleted file mode 100644\n"},
		{"delete an empty file", "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		{"new without mode", "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"plain, becomes empty", "--- a/x\n+++ b/x\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n"},
		{"plain, may be new", "--- a/n\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"plain new", "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"plain delete", "--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n"},
		{"new by time", "--- a/n\t1970-01-01 00:00:00.000000000 +0000\n+++ b/n\t2020-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+a\n"},
		{"new by time in another zone", "--- a/n\t1969-12-31 19:00:00 -0500\n+++ b/n\t2020-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+a\n"},
		{"deleted by time", "--- a/x\t2020-01-01 00:00:00 +0000\n+++ b/x\t1970-01-01 01:00:00 +0100\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n"},
		{"times", "--- a/x\t2020-01-01 00:00:00 +0000\n+++ b/x\t2020-01-01 01:00:00.5 +0100\n" + edit},
		{"times after a space", "--- a/x 2020-01-01 00:00:00 +0000\n+++ b/x 2020-01-01 01:00:00 +0100\n" + edit},
		{"a revision", "--- a/x\t(revision 3)\n+++ b/x\t(working copy)\n" + edit},
		{"spaces in plain names", "--- a/x y\n+++ b/x y\n" + edit},
		{"spaces in plain names, tab", "--- a/x y\t\n+++ b/x y\t\n" + edit},
		{"new without names", "diff --git a/n b/n\nnew file mode 100755\n@@ -0,0 +1 @@\n+a\n"},
		{"one name", "diff --git a/x b/x\n+++ b/x\n" + edit},
		{"no name", "diff --git a/x b/x\n" + edit},
		{"rename, one side", "diff --git a/x b/z\nrename from x\n--- a/x\n+++ b/z\n" + edit},
		{"rename, one side, no hunk", "diff --git a/x b/z\nrename from x\n"},
		{"rename to itself", "diff --git a/x b/x\nrename from x\nrename to x\n"},
		{"rename old and new", "diff --git a/x b/z\nrename old x\nrename new z\n"},
		{"rename with prefixes", "diff --git a/x b/z\nrename from a/x\nrename to b/z\n"},
		{"rename and copy of one file", "diff --git a/x b/z\nrename from x\nrename to z\ndiff --git a/x b/q\ncopy from x\ncopy to q\n"},
		{"similarity without rename", "diff --git a/x b/z\nsimilarity index 100%\n"},
		{"new mode only", "diff --git a/x b/x\nnew mode 100755\n"},
		{"old mode only", "diff --git a/x b/x\nold mode 100755\n"},
		{"modes", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"},
		{"odd mode", "diff --git a/n b/n\nnew file mode 100777\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"new and deleted", "diff --git a/n b/n\nnew file mode 100644\ndeleted file mode 100644\n"},
		{"no hunks", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"},
		{"binary without data", "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n"},
		{"no changes in a hunk", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n b\n c\n"},
		{"hunk too long", "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n"},
		{"delete that leaves lines", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"deleted with content", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +1 @@\n a\n-b\n-c\n"},
		{"new with context", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -1 +1,2 @@\n a\n+b\n"},
		{"new, another name below", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+a\n"},
		{"prose around", "Hello.\n\n--- a/x\n+++ b/x\n" + edit + "\nDone now.\n"},
		{"another tool's lines", "Index: x\n===================================================================\n--- a/x\n+++ b/x\n" + edit + "Only in a: q\n"},
		{"a stray hunk", edit},
		{"a short marker", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n-c\n+c\n\\ No newline\n"},
		{"a marker in another language", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n-c\n+c\n\\ Kein Zeilenumbruch am Dateiende.\n"},
		{"a blank context line without its blank", "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+\n c\n"},
		{"a section after the hunk", "--- a/x\n+++ b/x\n" + edit + "--- a/y\n+++ b/y\n" + edit},
		{"a blank line between sections", "--- a/x\n+++ b/x\n" + edit + "\n--- a/y\n+++ b/y\n" + edit},
		{"old prefixes", "--- x.old/x\n+++ x.new/x\n" + edit},
		{"no prefixes, no folder", "--- x\n+++ x\n" + edit},
		{"equal prefixes", "diff --git a/x a/x\n--- a/x\n+++ a/x\n" + edit},
		{"doubled slash", "--- a//dir//x\n+++ b//dir//x\n" + edit},
		{"quoted", "diff --git \"a/x\" \"b/x\"\n--- \"a/x\"\n+++ \"b/\\170\"\n" + edit},
		{"CRLF in the headers", "diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1,3 +1,3 @@\r\n a\n-b\n+B\n c\n"},
		{"the same file twice", "--- a/x\n+++ b/x\n" + edit + "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-B\n+C\n c\n"},
		{"header of a section", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ func b() {\n a\n-b\n+B\n c\n"},
		{"a new mode without its type", "diff --git a/n b/n\nnew file mode 755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"a new mode with a 0 lost", "diff --git a/n b/n\nnew file mode 10755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"a new mode with a 0 more", "diff --git a/n b/n\nnew file mode 1000644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"an old mode with a 0 lost", "diff --git a/x b/x\nold mode 10644\nnew mode 100755\n"},
		{"an old mode without its type", "diff --git a/x b/x\nold mode 644\nnew mode 100755\n"},
		{"renamed by its names, in folders", "diff --git a/dir/x b/new/sub/x\n--- a/dir/x\n+++ b/new/sub/x\n" + edit},
		{"renamed by its names, in folders as deep", "diff --git a/dir/x b/sub/x\n--- a/dir/x\n+++ b/sub/x\n" + edit},
		{"renamed, without the folder", "diff --git a/dir/x b/dir/n\nrename from x\nrename to n\n--- a/dir/x\n+++ b/dir/n\n" + edit},
		{"renamed, without the folder or hunks", "diff --git a/dir/x b/dir/n\nrename from x\nrename to n\n"},
		{"a type that changes", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\ndiff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clear1(t, dir)
			before.write(t, dir)
			_, gitErr := git(t, dir, tt.patch, "apply", "-")
			p := Parse(tt.patch, nil)
			got, err := before.apply(p)
			switch refused := err != nil || diag.HasErrors(p.Diagnostics); {
			case refused && gitErr == nil:
				t.Errorf("refused: %v %v", p.Diagnostics, err)
			case !refused && gitErr != nil:
				t.Errorf("git refuses it: %v", gitErr)
			case !refused && got.String() != readTree(t, dir).String():
				t.Errorf("got\n%sgit\n%s", got, readTree(t, dir))
			}
		})
	}
}

// Aptix reads each of these patches in another way than git, as the package comment explains.
func TestUnlikeGit(t *testing.T) {
	for _, tt := range []struct {
		name, patch string
		want        string // a diagnostic's code, or the path of the change
	}{
		{"--no-prefix", "--- dir/x\n+++ dir/x\n" + edit, "dir/x"},
		{"--no-prefix, new", "--- /dev/null\n+++ dir/n\n@@ -0,0 +1 @@\n+a\n", "dir/n"},
		{"a prefix that was seen", "--- old/x\n+++ new/x\n" + edit + "--- /dev/null\n+++ new/n\n@@ -0,0 +1 @@\n+a\n", "x n"},
		{"long prefixes, guessed", "diff --git p/q/x p/r/x\n--- p/q/x\n+++ p/r/x\n" + edit, "git-names x"},
		{"long prefixes, proven", "diff --git p/q/n p/r/n\nnew file mode 100644\ndiff --git p/q/x p/r/y z\nrename from x\nrename to y z\n", "n x"},
		{"long prefixes that differ", "diff --git p/q/n p/r/n\nnew file mode 100644\ndiff --git p/s/x p/t/y\nrename from x\nrename to y\n", "git-names x"},
		{"--no-prefix, proven by a rename", "diff --git b/n b/n\nnew file mode 100644\ndiff --git b/x y z\nrename from b/x\nrename to y z\n", "b/n b/x"},
		{"lines after a hunk", "--- a/x\n+++ b/x\n" + edit + "\n+d\n", string(diag.GitLinesAfterHunk)},
		{"no newline at the end", strings.TrimSuffix("--- a/x\n+++ b/x\n"+edit, "\n"), "x"},
		{"a submodule", "diff --git a/l b/l\nnew file mode 160000\nindex 0000000..1111111\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+Subproject commit 1\n", string(diag.GitSubmodule)},
		{"a byte order mark", bom + "--- a/x\n+++ b/x\n" + edit, "git-bom x"},
	} {
		p := Parse(tt.patch, nil)
		var got []string
		for _, d := range p.Diagnostics {
			got = append(got, string(d.Code))
		}
		for _, c := range p.Set.Changes {
			got = append(got, c.Path)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, got, tt.want)
		}
	}
}
