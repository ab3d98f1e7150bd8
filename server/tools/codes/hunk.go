package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var hunkCodes = []Doc{
	{diag.HunkMoved, "The lines of the hunk occur once in the file, but not where the header says ([G12](formats/git.md#g12)). The hunk is applied where its lines are, as git does.",
		"@@ -10,3 +10,3 @@\n \n-old = 1\n+old = 2\n \nwhere `old = 1` is line 21", "@@ -20,3 +20,3 @@\n \n-old = 1\n+old = 2\n ",
		"Writes the right line numbers."},
	{diag.HunkAmbiguous, "The lines that the hunk replaces occur several times, and the header names none of these places ([G39](formats/git.md#g39)). Git would take the nearest one.",
		"@@ ... @@\n }\n+\n+// end", "@@ -30,3 +30,5 @@\n }\n+\n+// end\n \n func next() {",
		"There is one fix for each place, which writes the line numbers of the place."},
	{diag.HunkStandsAlready, "The hunk applies, but its result is already in the file where the header says ([G64](formats/git.md#g64)). The hunk may have been applied before.",
		"@@ -5,0 +6 @@\n+import os\nwhere line 6 is `import os`", "", "Leaves the hunk out."},
	{diag.HunkNotFound, "The lines that the hunk replaces were not found in the file ([G25](formats/git.md#g25), [G37](formats/git.md#g37)).",
		"@@ -1,3 +1,3 @@\n import os\n-start()\n+start(now)\n \nwhere the file has `begin()`", "@@ -1,3 +1,3 @@\n import os\n-begin()\n+start(now)\n ",
		"Offers the most similar places, with their similarity."},
	{diag.HunkDiffers, "The lines of the hunk match the file except for white space, line endings, a byte order mark, or the final newline ([G21](formats/git.md#g21), [G22](formats/git.md#g22), [G24](formats/git.md#g24)). Git compares bytes.",
		"@@ -1,2 +1,3 @@\n if ready:\n+    wait()\n     start()\nwhere the file is indented by tabs", "@@ -1,2 +1,3 @@\n if ready:\n+\twait()\n \tstart()",
		"Writes the lines of the file. Certain if the place is unique and only white space at line ends, line endings, the byte order mark or the final newline differ, or if tabs became spaces. Added lines get the line endings and tabs of the file. If the indentation differs, the fix is only offered."},
	{diag.HunkNeedsContext, "Git would not find the place of the hunk. For git, a hunk without context below its changes must be at the end of the file, and a hunk at line 1 must be at the beginning. The file has the lines of the hunk elsewhere ([G20](formats/git.md#g20)).",
		"@@ -4,2 +4,3 @@\n import os\n import sys\n+import re", "@@ -4,3 +4,4 @@\n import os\n import sys\n+import re\n ",
		"Adds the lines that follow, and writes the right line numbers. Certain if the place is unique."},
	{diag.HunkUnnumbered, "The hunk has no line numbers ([G17](formats/git.md#g17)). Git needs line numbers.",
		"@@ ... @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "@@ -7,3 +7,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 4",
		"Writes the line numbers. Certain if the lines of the hunk occur once in the file, or once in the function or class that the header names."},
	{diag.HunkCounts, "The line counts in the header are wrong ([G16](formats/git.md#g16)).",
		"@@ -1,9 +1,9 @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 4", "Corrects the counts."},
	{diag.HunkByNumber, "Only the line number of the hunk gives its place. Either it adds lines without context ([G41](formats/git.md#g41)), or the other part of its header names a block of code below that place ([G76](formats/git.md#g76)).",
		"@@ -5,0 +6 @@\n+import re", "@@ -5,2 +5,3 @@\n import os\n+import re\n import sys", ""},
	{diag.HunkNewline, "`\\ No newline at end of file` follows a line that is not the last one ([G23](formats/git.md#g23)).",
		" a = 1\n\\ No newline at end of file\n b = 2", " a = 1\n b = 2", "Removes the marker."},
}
