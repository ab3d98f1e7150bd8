package diag

// The problems of git patches, apart from the content of their files.
const (
	GitNoPatch        Code = "git-no-patch"
	GitBOM            Code = "git-bom"
	GitIndented       Code = "git-indented"
	GitProse          Code = "git-prose"
	GitCombined       Code = "git-combined"
	GitSubmodule      Code = "git-submodule"
	GitHeader         Code = "git-header"
	GitHeaderMissing  Code = "git-header-missing"
	GitNames          Code = "git-names"
	GitPrefix         Code = "git-prefix"
	GitNoHunks        Code = "git-no-hunks"
	GitHunkHeader     Code = "git-hunk-header"
	GitHunkEmpty      Code = "git-hunk-empty"
	GitLineStart      Code = "git-line-start"
	GitLinesAfterHunk Code = "git-lines-after-hunk"
	GitNewFile        Code = "git-new-file"
	GitDeletedContent Code = "git-deleted-content"
	GitBinary         Code = "git-binary"
	GitBinaryMismatch Code = "git-binary-mismatch"
	GitForeign        Code = "git-foreign"
	GitResultDiffers  Code = "git-result-differs"
	GitCutOff         Code = "git-cut-off"
	GitLooseEnd       Code = "git-loose-end"
)

var gitDocs = []Doc{
	{GitNoPatch, Error, "The patch names no file ([G36](formats/git.md#g36)).", "a = 1\n+b = 2", "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n a = 1\n+b = 2", ""},
	{GitBOM, Hint, "The patch begins with a byte order mark ([G62](formats/git.md#g62)). It is skipped.", "U+FEFF `diff --git a/a b/a`", "diff --git a/a b/a", "Removes it; certain."},
	{GitIndented, Error, "The whole patch is indented, so git finds no patch ([G31](formats/git.md#g31)).", "    --- a/a.py\n    +++ b/a.py\n    @@ -1 +1 @@\n    -a\n    +b", "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b", "Removes the indentation; certain."},
	{GitProse, Info, "Text that is not part of the patch follows a section. It is ignored, as by git ([G13](formats/git.md#g13)).", "-a\n+b\n\nThis renames the variable.", "-a\n+b", "Removes it; certain."},
	{GitCombined, Error, "The diff compares a merge with several parents (`diff --cc`, `@@@`) ([G35](formats/git.md#g35)). Git cannot apply such a diff.", "diff --cc a.py\n@@@ -1,1 -1,1 +1,1 @@@", "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@", ""},
	{GitSubmodule, Error, "The section changes a submodule ([G57](formats/git.md#g57)). Git would only make an empty folder.", "new file mode 160000", "", "Removes the section; offered."},
	{GitHeader, Error, "Git does not know a line of a file's header, or the line contradicts the others ([G28](formats/git.md#g28)).", "old mode 644", "old mode 100644", "Corrects the line, or removes it. Certain if it is blank, or has a mode without its type, a time after a space, or the name of a file that does not exist."},
	{GitHeaderMissing, Error, "A line that git needs is lost: a file's `---` or `+++`, the mode of a new or deleted file, one name of a rename, or the whole header of a hunk ([G26](formats/git.md#g26)).", "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a", "diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a", "Writes the line; certain. There is no fix if no line names the file."},
	{GitNames, Error, "The lines of a header name different files, and nothing says that the file is renamed ([G58](formats/git.md#g58)). Git renames the file nevertheless, or, in a header without `diff --git`, uses the second name.", "--- a/old.py\n+++ b/new.py", "--- a/new.py\n+++ b/new.py", "Writes one name in all lines, or says that the file is renamed; offered."},
	{GitPrefix, Error, "The prefixes `a/` and `b/` are lost on one side, doubled, or used in a `rename from` or `copy from` ([G27](formats/git.md#g27)).", "--- a/src/a.py\n+++ src/a.py", "--- a/src/a.py\n+++ b/src/a.py", "Writes them; certain."},
	{GitNoHunks, Error, "A section has no hunks and changes no mode or name ([G47](formats/git.md#g47)).", "--- a/a.py\n+++ b/a.py", "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b", "Removes the section; offered."},
	{GitHunkHeader, Error, "Git cannot read the line numbers of the hunk ([G18](formats/git.md#g18)).", "@@-1,3 +1,3@@", "@@ -1,3 +1,3 @@", "Writes them as git does; certain."},
	{GitHunkEmpty, Error, "A hunk has no lines, or none that begins with `+` or `-` ([G47](formats/git.md#g47)).", "@@ -1,2 +1,2 @@\n a\n b", "@@ -1,2 +1,2 @@\n a\n-b\n+c", "Removes the hunk; offered."},
	{GitLineStart, Error, "A line of a hunk does not begin with ` `, `+`, `-` or `\\`. Mostly it is a context line that lost its space ([G19](formats/git.md#g19)). An empty line is context.", "@@ -1,3 +1,3 @@\nfunc main() {\n-\ta()\n+\tb()\n }", "@@ -1,3 +1,3 @@\n func main() {\n-\ta()\n+\tb()\n }", "Adds the space. Certain if the file then has the lines of the hunk only once, and nothing else explains the hunk. Otherwise this is offered, and so is removing the line."},
	{GitLinesAfterHunk, Error, "The hunk has as many lines as its header counts, but more lines of a hunk follow after a gap ([G45](formats/git.md#g45)). Git leaves them out silently.", "@@ -1 +1 @@\n-a\n+b\n\n+c", "@@ -1,2 +1,3 @@\n-a\n+b\n \n+c", "Removes the lines, or makes them part of the hunk; offered."},
	{GitNewFile, Error, "The patch of a new file does not give its content: it has lines without `+`, wrong counts, or several hunks ([G29](formats/git.md#g29)).", "new file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,9 @@\n+a = 1", "new file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a = 1", "Corrects the header, which is certain; or inserts `+` before lines, which is certain for empty lines, or if the counts are then right."},
	{GitDeletedContent, Error, "The patch deletes a file that is not empty, but does not have its lines ([G30](formats/git.md#g30)). Git refuses that.", "diff --git a/a.py b/a.py\ndeleted file mode 100644", "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a = 1", "Writes all lines of the file. Certain, unless the `index` line names other content."},
	{GitBinary, Error, "A binary patch has no data, or damaged data, or an `index` line without the full ids ([G34](formats/git.md#g34)).", "Binary files a/logo.png and b/logo.png differ", "GIT binary patch\nliteral 5\n...", "Writes the line `GIT binary patch` if only that line is lost; certain."},
	{GitBinaryMismatch, Error, "A binary patch was made for other content than that of the file ([G34](formats/git.md#g34)).", "", "", ""},
	{GitResultDiffers, Error, "The patch was cut off or altered: its `index` line names the file before the change, but not the result ([G65](formats/git.md#g65)).", "index 2062935..a5c6a9f 100644", "", "Removes the `index` line, so that the hunks are taken as they are; offered."},
	{GitCutOff, Error, "A patch file ends in a header, in the middle of a line, or before its last hunk has as many lines as its header counts ([G66](formats/git.md#g66)).", "diff --git a/a.py b/a.py\nnew file mode 100644", "", "Ends the last line, if perhaps only its line ending is lost; offered."},
	{GitLooseEnd, Error, "The patch is not in a fence, and its end is unclear: its last hunk has no counts, or wrong ones, and the next lines may belong to it ([G71](formats/git.md#g71)).", "--- a/a.py\n+++ b/a.py\n@@ ... @@\n-a\n+b\nThis renames the variable.", "```diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n-a\n+b\n```\nThis renames the variable.", "Puts the patch in a fence; offered."},
	{GitForeign, Error, "A section of an apply_patch patch is in a git patch ([G32](formats/git.md#g32)), or a context diff ([G75](formats/git.md#g75)).", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n*** Delete File: b.txt", "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch", ""},
}
