package diag

// What a find/replace step can meet in its file.
const (
	FindNotFound           Code = "find-not-found"
	FindConsumed           Code = "find-consumed"
	FindAmbiguous          Code = "find-ambiguous"
	FindInsideWord         Code = "find-inside-word"
	ReplacementIndentation Code = "replacement-indentation"
	ReplacementRepeats     Code = "replacement-repeats-line"
	AlreadyApplied         Code = "already-applied"
)

var editDocs = []Doc{
	{FindNotFound, Warning, "`find` is not in the file, and nothing shows that it was replaced already. Nothing is changed ([S7](formats/structured.md#s7)).",
		`"find": "if ready:\n    start()",` + "\n" + `"replace": "if ready:\n    start(now)"` + "\nwhere the file has these lines four columns further to the right",
		`"find": "    if ready:\n        start()",` + "\n" + `"replace": "    if ready:\n        start(now)"`,
		"Writes the text that the file has. That is certain where the find is there once and differs only in blanks at line ends, or in an indentation by which all of its lines are shifted alike; the replacement is then shifted too. Looser ones are offered with what differs: blanks, quotes and dashes, escapes, a line too many, or how much is alike."},
	{FindConsumed, Warning, "`find` was in the file, but a replacement before it in the same reply changed that text. Nothing is changed.",
		`{"find": "a = 1", "replace": "a = 2"},` + "\n" + `{"find": "a = 1", "replace": "a = 3"}`,
		`{"find": "a = 1", "replace": "a = 3"}`,
		"Writes the text that the one before left, where it is alike."},
	{FindAmbiguous, Warning, "`find` is there several times and `limit` is `once`: the first one is replaced.",
		`"find": "}",` + "\n" + `"replace": "  log()\n}"`, `"find": "  return a\n}",` + "\n" + `"replace": "  return a\n  log()\n}"`,
		"One for each place: extends `find` and `replace` by the fewest lines that no other place has."},
	{FindInsideWord, Warning, "The match begins or ends inside of a longer word. It is replaced.",
		`"find": "cat", "replace": "dog"` + " where the file has `concatenate`", `"find": "cat =", "replace": "dog ="`, ""},
	{ReplacementIndentation, Warning, "`find` was written without the indentation of its line, and the lines of `replace` behind the first one lack it too.",
		`"find": "start()", "replace": "start()\nwait()"` + " where the line is `    start()`", `"find": "start()", "replace": "start()\n    wait()"`,
		"Indents the replacement by what `find` lacks."},
	{ReplacementRepeats, Warning, "`replace` begins or ends with the line that stands next to the match, and `find` does not have it: it would be there twice.",
		`"find": "a = 1", "replace": "a = 2\nreturn a"` + " where the next line is `return a`", `"find": "a = 1\nreturn a", "replace": "a = 2\nreturn a"`,
		"Extends `find` by that line."},
	{AlreadyApplied, Info, "What is asked for stands in the file already. Nothing is changed.", `"find": "old", "replace": "new"` + " where the file has the line `new`", "", ""},
}
