package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var searchCodes = []Doc{
	{diag.SearchNoPath, "Nothing says to which file a SEARCH/REPLACE block belongs ([E4](formats/search-replace.md#e4), [E7](formats/search-replace.md#e7)).",
		"Change the port:\n\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE", "src/app.py\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE",
		"Writes a path that the text above mentions on the line above the block."},
	{diag.SearchPaths, "Two places next to a SEARCH/REPLACE block, or to the fence of a whole file, name different files ([E6](formats/search-replace.md#e6), [W4](formats/whole-file.md#w4)).",
		"`src/a.py`\n```python src/b.py\n<<<<<<< SEARCH", "`src/b.py`\n```python\n<<<<<<< SEARCH", ""},
	{diag.SearchMarks, "The marks of a SEARCH/REPLACE block do not pair: one is missing, or there is one too many ([E2](formats/search-replace.md#e2)).",
		"<<<<<<< SEARCH\na = 1\na = 2\n>>>>>>> REPLACE", "<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE", ""},
	{diag.SearchDivider, "A SEARCH/REPLACE block has several `=======` lines, and the file does not show which of them ends the SEARCH text ([E10](formats/search-replace.md#e10)).",
		"<<<<<<< SEARCH\nTitle\n=======\nold\n=======\nTitle\n=======\nnew\n>>>>>>> REPLACE\nwhere the file has different lines", "", ""},
	{diag.SearchEmpty, "The SEARCH text is empty, so the block would create the file, but the file already has lines ([E9](formats/search-replace.md#e9)).",
		"<<<<<<< SEARCH\n=======\nimport os\n>>>>>>> REPLACE", "<<<<<<< SEARCH\nimport sys\n=======\nimport os\nimport sys\n>>>>>>> REPLACE", ""},
	{diag.SearchPair, "Two fences below words such as `Before:` and `After:` are read as an edit: lines of a file and their replacement. But the words may only compare the two ([E21](formats/search-replace.md#e21)).",
		"`src/app.py`\n\nBefore:\n```\nport = 80\n```\nAfter:\n```\nport = 8080\n```", "`src/app.py`\n\nFind:\n```\nport = 80\n```\nReplace with:\n```\nport = 8080\n```", ""},
	{diag.ScopeMissed, "The lines of a hunk are in the file, but not where its `@@` lines or `*** End of File` say ([P7](formats/apply-patch.md#p7), [P9](formats/apply-patch.md#p9)).",
		"@@ class Cart\n-port = 80\n+port = 8080", "@@ class Server\n-port = 80\n+port = 8080", ""},
	{diag.PatchNoEnd, "A patch lacks `*** End Patch`, so it may have been cut off. Or it is outside a fence and lacks `*** Begin Patch` ([P2](formats/apply-patch.md#p2)).",
		"*** Begin Patch\n*** Delete File: a.txt", "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch", "Writes the missing line."},
	{diag.PatchLine, "A line of an apply_patch patch cannot be in its section ([P3](formats/apply-patch.md#p3), [P5](formats/apply-patch.md#p5)).",
		"*** Update File: a.txt\n@@\nport = 80\n-old\n+new", "*** Update File: a.txt\n@@\n port = 80\n-old\n+new", "Writes the space of a context line, or the `+` of an added one."},
	{diag.PatchEmpty, "A patch, or a section or a hunk of a patch, changes nothing ([P4](formats/apply-patch.md#p4)).",
		"*** Update File: a.txt\n*** End Patch", "*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch", ""},
	{diag.PatchAppends, "A hunk only adds lines and does not say where they belong, so they are appended to the file ([P10](formats/apply-patch.md#p10)).",
		"@@\n+port = 80", "@@\n host = \"localhost\"\n+port = 80", ""},
}
