package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var callCodes = []Doc{
	{diag.CallUnknown, "A call seems to change a file, but in a way that Aptix does not read, or it has no readable parameters ([C6](formats/tool-call.md#c6), [C17](formats/tool-call.md#c17)).",
		`{"command": "undo_edit", "path": "a.txt"}`, "", ""},
	{diag.CallIgnored, "A call is left out: it names no file ([C6](formats/tool-call.md#c6)), it failed, or a later call undoes it ([C25](formats/tool-call.md#c25)).",
		`{"name": "bash", "input": {"command": "make"}}`, "", ""},
	{diag.CallTags, "A call in tags lacks a tag or a parameter, or has one too many, or has other text in between, so it is unclear where a text ends ([C11](formats/tool-call.md#c11)).",
		"<write_to_file>\n<path>a.txt</path>\n<content>\nx\n</write_to_file>", "<write_to_file>\n<path>a.txt</path>\n<content>\nx\n</content>\n</write_to_file>", ""},
	{diag.InsertLine, "`insert_line` is not a number, or the file does not have that line ([C9](formats/tool-call.md#c9)).",
		`"insert_line": 40` + " for a file of 12 lines", `"insert_line": 12`, "Writes the number without quotes, or the number of the last line."},
	{diag.InsertMoved, "Earlier edits of the reply moved the line at which a call inserts ([C9](formats/tool-call.md#c9)). The number is assumed to count the lines after those edits.",
		`{"command": "insert", "path": "a.txt", "insert_line": 0, "insert_text": "import os"},` + "\n" + `{"command": "insert", "path": "a.txt", "insert_line": 9, "insert_text": "run()"}`, "",
		"Writes the current number of the line that had this number before the reply."},
	{diag.InsertRepeats, "The file already has the lines that a call inserts, so the call may have been applied ([C10](formats/tool-call.md#c10)).",
		`{"command": "insert", "path": "a.txt", "insert_line": 1, "insert_text": "}"}` + " where line 2 is `}`", "", ""},
}
