package diag

// What a hunk can meet in its file.
const (
	HunkMoved         Code = "hunk-moved"
	HunkAmbiguous     Code = "hunk-ambiguous"
	HunkStandsAlready Code = "hunk-stands-already"
	HunkNotFound      Code = "hunk-not-found"
	HunkDiffers       Code = "hunk-differs"
	HunkNeedsContext  Code = "hunk-needs-context"
	HunkUnnumbered    Code = "hunk-unnumbered"
	HunkCounts        Code = "hunk-counts"
	HunkByNumber      Code = "hunk-by-number"
	HunkNewline       Code = "hunk-newline"
	HunkForeign       Code = "hunk-foreign"
)

var hunkDocs = []Doc{
	{HunkMoved, Info, "The file has the lines of the hunk once, but not where the header says. The hunk is applied there, as git does.",
		"@@ -10,3 +10,3 @@\n \n-old = 1\n+old = 2\n \nwhere `old = 1` is line 21", "@@ -20,3 +20,3 @@\n \n-old = 1\n+old = 2\n ",
		"Writes the right line numbers."},
	{HunkAmbiguous, Error, "The lines that the hunk replaces are there several times, and the header names none of these places. Git would take the nearest one.",
		"@@ ... @@\n }\n+\n+// end", "@@ -30,3 +30,5 @@\n }\n+\n+// end\n \n func next() {",
		"One for each place: writes its line numbers."},
	{HunkStandsAlready, Warning, "The hunk applies, but what it makes stands in the file already where the header says. It may have been applied before.",
		"@@ -5,0 +6 @@\n+import os\nwhere line 6 is `import os`", "", "Leaves the hunk out."},
	{HunkNotFound, Error, "The file does not have the lines that the hunk replaces.",
		"@@ -1,3 +1,3 @@\n import os\n-start()\n+start(now)\n \nwhere the file has `begin()`", "@@ -1,3 +1,3 @@\n import os\n-begin()\n+start(now)\n ",
		"Offers the places that are most like it, with how much is alike."},
	{HunkDiffers, Error, "The file has the lines of the hunk but for blanks, line endings, a byte order mark, or the newline at its end. Git compares bytes.",
		"@@ -1,2 +1,3 @@\n if ready:\n+    wait()\n     start()\nwhere the file is indented by tabs", "@@ -1,2 +1,3 @@\n if ready:\n+\twait()\n \tstart()",
		"Writes the lines of the file. That is certain where the place is the only one and only blanks at line ends, endings, the mark or the newline differ, or tabs became blanks; added lines are given the same endings and tabs. Another indentation is offered."},
	{HunkNeedsContext, Error, "The lines of the hunk are there, but git has a hunk without context behind its changes end the file, and one that says line 1 begin it.",
		"@@ -4,2 +4,3 @@\n import os\n import sys\n+import re", "@@ -4,3 +4,4 @@\n import os\n import sys\n+import re\n ",
		"Adds the lines that follow, and writes the right line numbers. Certain where the place is the only one."},
	{HunkUnnumbered, Error, "The hunk has no line numbers. Git needs them.",
		"@@ ... @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "@@ -7,3 +7,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 4",
		"Writes them. Certain where the file has the lines of the hunk once, or once in what the line begins that the header names."},
	{HunkCounts, Error, "The header counts other lines than the hunk has.",
		"@@ -1,9 +1,9 @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "Counts them."},
	{HunkByNumber, Warning, "The hunk adds lines and has no context: only its line number says where. Nothing shows that the file is the one that the patch was made from.",
		"@@ -5,0 +6 @@\n+import re", "@@ -5,2 +5,3 @@\n import os\n+import re\n import sys", ""},
	{HunkNewline, Error, "`\\ No newline at end of file` stands behind a line that others follow.",
		" a = 1\n\\ No newline at end of file\n b = 2", " a = 1\n b = 2", "Takes the marker out."},
	{HunkForeign, Error, "The section is not written as git writes it. It is never applied as it is.",
		"*** Update File: a.py\n@@ def start():\n     wait()\n-    go()\n+    go(now)", "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -7,2 +7,2 @@ def start():\n     wait()\n-    go()\n+    go(now)",
		"Writes it as a git patch. Certain where the place of every hunk is."},
}
