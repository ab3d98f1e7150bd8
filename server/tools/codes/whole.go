package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var wholeCodes = []Doc{
	{diag.WholeNoPath, "Nothing says to which file a fence belongs ([W1](formats/whole-file.md#w1)). This is reported only if someone says that the document is in this format.",
		"The server:\n```\nport = 80\n```", "src/app.py\n```\nport = 80\n```", ""},
	{diag.WholeUnsure, "A reply has a whole file, but perhaps not for the workspace. Either neither the file nor its folder exists, and no word says that the file is new ([W6](formats/whole-file.md#w6), [F11](formats/file-tags.md#f11)). Or the path of a new file is only a name, but the file that begins to use it is in a folder. Or the file is new, and only a sentence mentions it ([W15](formats/whole-file.md#w15)). Or two files may be meant, and the edit fits both.",
		"`lib/util.py`\n```\nport = 80\n```", "New file: `lib/util.py`\n```\nport = 80\n```", "Writes `New file:`."},
	{diag.WholeSample, "A reply has edits, and also a fence with a path that may be only a sample: other fences have no path, and this one keeps little of its file ([W6](formats/whole-file.md#w6)).",
		"The old code:\n```\nport = 80\n```\n`src/util.py`\n```\nport = 8080\n```", "### Updated file: `src/util.py`\n```\nport = 8080\n```", ""},
	{diag.WholeNotText, "The text below the path of a file is not that of a file: it is a diff, or its lines have numbers ([W13](formats/whole-file.md#w13)).",
		"src/app.py\n```python\n@@ -1 +1 @@\n-port = 80\n+port = 8080\n```", "src/app.py\n```python\nport = 8080\n```", ""},
	{diag.WholeFences, "The fences in the text of a file do not pair, so the text may be cut off ([W10](formats/whole-file.md#w10), [W11](formats/whole-file.md#w11)).",
		"src/app.py\n```\nhelp = \"\"\"\n```text\n\"\"\"\n```", "src/app.py\n````\nhelp = \"\"\"\n```text\n\"\"\"\n````", ""},
	{diag.LinesLost, "The text may show only a part of the file, because it would remove lines of the file that probably should stay ([W8](formats/whole-file.md#w8), [R57](formats/README.md#r57)). For example, it would remove more than half of the lines, a quarter of them at one end, lines from the middle of one block to the middle of another, repeated lines, or a function whose name is still needed.",
		"src/app.py\n```\nport = 8080\n```\nwhere the file has ten different lines", "", ""},
	{diag.FilePart, "The text of a whole file is only a part of the file: lines at the beginning or the end of the file would be removed with nothing in their place ([W14](formats/whole-file.md#w14)).",
		"src/app.py\n```\n    return port\n```\nwhere the file has lines above and below it", "", ""},
	{diag.ElisionUnsure, "A text leaves out lines of its file, for example by `// ... existing code ...`. The most likely reading is shown, but another reading is possible, or it would remove lines that the text may only leave out ([M9](formats/elided.md#m9)).",
		"src/app.py\n```\n# ... existing code ...\n}\nport = 8080\n# ... existing code ...\n```", "src/app.py\n```\n# ... existing code ...\nhost = \"a\"\nport = 8080\nrun(host, port)\n# ... existing code ...\n```", "Puts the part at another place, by adding lines of the file around it."},
	{diag.ElisionNoPlace, "A text leaves out lines of its file, and a part of the text has no place in the file, or several equally good places ([M10](formats/elided.md#m10)).",
		"src/app.py\n```\n# ... existing code ...\nnew_line()\n# ... existing code ...\n```", "src/app.py\n```\n# ... existing code ...\nhost = \"a\"\nnew_line()\nrun(host)\n# ... existing code ...\n```", "Puts the part at one of the places, by adding lines of the file around it."},
}
