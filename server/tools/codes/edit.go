package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var editCodes = []Doc{
	{diag.FindNotFound, "`find` was not found in the file, and nothing shows that it was already replaced ([S7](formats/structured.md#s7)).",
		`"find": "if ready:\n    start()",` + "\n" + `"replace": "if ready:\n    start(now)"` + "\nwhere the file has these lines four columns further to the right",
		`"find": "    if ready:\n        start()",` + "\n" + `"replace": "    if ready:\n        start(now)"`,
		"Writes the text of the file. Certain if the find occurs once and differs only in white space at line ends, or in the indentation, by the same amount in all lines; the replacement is then shifted, too. Looser matches are offered. Their titles name the difference (white space, quotes and dashes, escapes, an extra line) or the similarity."},
	{diag.FindConsumed, "`find` was in the file, but an earlier replacement in the same reply changed that text ([S8](formats/structured.md#s8)).",
		`{"find": "a = 1", "replace": "a = 2"},` + "\n" + `{"find": "a = 1", "replace": "a = 3"}`,
		`{"find": "a = 1", "replace": "a = 3"}`,
		"Writes the text that the earlier replacement left, if it is similar."},
	{diag.FindAmbiguous, "`find` occurs several times and `limit` is `once`: the first occurrence is replaced ([S6](formats/structured.md#s6)). This is also reported if `replace` only adds brackets, and the file already has these next to the text of `find` ([S13](formats/structured.md#s13)).",
		`"find": "}",` + "\n" + `"replace": "  log()\n}"`, `"find": "  return a\n}",` + "\n" + `"replace": "  return a\n  log()\n}"`,
		"There is one fix for each place, which extends `find` and `replace` by the fewest lines that make the text unique."},
	{diag.FindInsideWord, "The match begins or ends inside a longer word ([S9](formats/structured.md#s9)). The match is replaced only after someone has agreed.",
		`"find": "cat", "replace": "dog"` + " where the file has `concatenate`", `"find": "cat =", "replace": "dog ="`, ""},
	{diag.ReplacementIndentation, "`find` begins after the indentation of its line, and the later lines of `replace` lack this indentation ([S11](formats/structured.md#s11)).",
		`"find": "start()", "replace": "start()\nwait()"` + " where the line is `    start()`", `"find": "start()", "replace": "start()\n    wait()"`,
		"Adds the indentation that `find` lacks to the lines of the replacement."},
	{diag.ReplacementRepeats, "`replace` begins or ends with the line next to the match, but `find` does not have that line, so the line would occur twice ([S11](formats/structured.md#s11)).",
		`"find": "a = 1", "replace": "a = 2\nreturn a"` + " where the next line is `return a`", `"find": "a = 1\nreturn a", "replace": "a = 2\nreturn a"`,
		"Extends `find` by the line next to the match."},
	{diag.AlreadyApplied, "The file already has the result ([R11](formats/README.md#r11)). Nothing is changed.", `"find": "old", "replace": "new"` + " where the file has the line `new`", "", ""},
	{diag.AppliedBefore, "The history knows that this reply was applied, and somebody has edited the file since then ([R12](formats/README.md#r12)). Applying the reply again may undo these edits, or make a part of the change twice.",
		"a whole file that was applied, and of which you took a part back", "", ""},
}
