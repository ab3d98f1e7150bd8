package diag

// The problems of line patches: docs/formats/lines.md.
const (
	MissingDocPath       Code = "missing-doc-path"
	DocPathNotString     Code = "doc-path-not-string"
	DocPathCase          Code = "doc-path-case"
	DocPathTwice         Code = "doc-path-twice"
	MissingSHA256        Code = "missing-sha256"
	SHA256NotString      Code = "sha256-not-string"
	SHA256Format         Code = "sha256-format"
	SHA256Case           Code = "sha256-case"
	SHA256Mismatch       Code = "sha256-mismatch"
	SnippetSHA           Code = "snippet-sha"
	MissingChanges       Code = "missing-changes"
	ChangesNotArray      Code = "changes-not-array"
	EmptyChanges         Code = "empty-changes"
	MissingLineOperation Code = "missing-line-operation"
	MissingLineNumber    Code = "missing-line-number"
	LineNumberInvalid    Code = "line-number-invalid"
	LineRange            Code = "line-range"
	LineOutOfRange       Code = "line-out-of-range"
	MissingLines         Code = "missing-lines"
	LinesNotArray        Code = "lines-not-array"
	LineNotString        Code = "line-not-string"
	LineBreakInLine      Code = "line-break-in-line"
	EmptyNewLines        Code = "empty-new-lines"
	ExpectedCount        Code = "expected-line-count"
	ExpectedDiffers      Code = "expected-lines-differ"
	LinesOverlap         Code = "lines-overlap"
	LinesOrder           Code = "lines-order"
	LoneReturn           Code = "lone-carriage-return"
	NoteNotString        Code = "note-not-string"
)

var linesDocs = []Doc{
	{MissingDocPath, Error, "An entry of `files` has no `docPath`, so it names no file ([L3](formats/lines.md#l3)).", `{"originalSha256": "…", "changes": […]}`, `{"docPath": "project/a.txt", "originalSha256": "…", "changes": […]}`, ""},
	{DocPathNotString, Error, "`docPath` is not a string ([L3](formats/lines.md#l3)).", `"docPath": ["project", "a.txt"]`, `"docPath": "project/a.txt"`, ""},
	{DocPathCase, Error, "A docPath is lower case ([R27](formats/README.md#r27)); no file has a docPath with a capital letter.", `"docPath": "Project/README.md"`, `"docPath": "project/readme.md"`, "Writes it in lower case."},
	{DocPathTwice, Error, "A batch has the same docPath twice ([L2](formats/lines.md#l2)). Each entry would count lines without the changes of the other.", "two entries for `project/a.txt`", "one entry with the changes of both", ""},
	{MissingSHA256, Error, "`originalSha256` is missing, so it is unknown to which text the line numbers refer ([L4](formats/lines.md#l4)).", `{"docPath": "project/a.txt", "changes": […]}`, `{"docPath": "project/a.txt", "originalSha256": "…", "changes": […]}`, ""},
	{SHA256NotString, Error, "`originalSha256` is not a string ([L4](formats/lines.md#l4)).", `"originalSha256": 12`, `"originalSha256": "87428fc5…"`, ""},
	{SHA256Format, Error, "`originalSha256` is not a SHA-256, which has 64 hexadecimal digits ([L4](formats/lines.md#l4)).", `"originalSha256": "sha256:87428fc5…"`, `"originalSha256": "87428fc5…"`, "Keeps only the 64 digits, if they are there."},
	{SHA256Case, Warning, "A SHA-256 must be in lower case ([L4](formats/lines.md#l4)).", `"originalSha256": "87428FC5…"`, `"originalSha256": "87428fc5…"`, "Writes it in lower case."},
	{SHA256Mismatch, Error, "The file is neither the one for which the patch was made nor its result ([L5](formats/lines.md#l5), [L19](formats/lines.md#l19)). It has changed since it was read, or the hash was not copied. Three hashes are accepted: that of the file's bytes, that of its text as UTF-8, and that of this text with LF endings.", "", "", "Writes the hash and the line numbers of the present file, if every expected line occurs in it exactly once and in the same order."},
	{SnippetSHA, Error, "The hash is that of a part of the file: of a snippet from a search, or of the lines that a change expects. A patch needs the hash of the whole file, because a snippet says nothing about the other lines ([L20](formats/lines.md#l20)).", "the SHA-256 of a search's result", "the SHA-256 that `workspace_read_file` gives", "Writes the hash and the line numbers of the present file, if every expected line occurs in it exactly once and in the same order."},
	{MissingChanges, Error, "An entry has no `changes` ([L6](formats/lines.md#l6)).", `{"docPath": "project/a.txt", "originalSha256": "…"}`, `{"docPath": "project/a.txt", "originalSha256": "…", "changes": […]}`, ""},
	{ChangesNotArray, Error, "`changes` is not an array ([L6](formats/lines.md#l6)).", `"changes": {…}`, `"changes": [{…}]`, ""},
	{EmptyChanges, Error, "`changes` is empty: remove the file from the batch ([L6](formats/lines.md#l6)).", `"changes": []`, "the entry left out", ""},
	{MissingLineOperation, Error, "A change has no `operation` ([L8](formats/lines.md#l8)).", `{"afterLine": 3, "newLines": ["x"]}`, `{"operation": "insert", "afterLine": 3, "newLines": ["x"]}`, "Writes the only operation that has these members."},
	{MissingLineNumber, Error, "A change has no line number: `insert` needs `afterLine`; `replace` and `delete` need `startLine` and `endLine` ([L10](formats/lines.md#l10), [L11](formats/lines.md#l11)).", `{"operation": "insert", "newLines": ["x"]}`, `{"operation": "insert", "afterLine": 3, "newLines": ["x"]}`, "Writes the number that follows from the expected lines."},
	{LineNumberInvalid, Error, "A line number is not a whole number, or is below the first line ([L10](formats/lines.md#l10), [L11](formats/lines.md#l11)).", `"startLine": "12"`, `"startLine": 12`, "Writes the number without quotes or other text."},
	{LineRange, Error, "`endLine` is before `startLine` ([L11](formats/lines.md#l11)).", `"startLine": 12, "endLine": 10`, `"startLine": 10, "endLine": 12`, "Exchanges the two; certain if that many lines are expected."},
	{LineOutOfRange, Error, "The file has fewer lines ([L16](formats/lines.md#l16)). Text after the last line ending is a line, too.", "", "", "Writes the line numbers of the file, if every expected line occurs in it exactly once and in the same order."},
	{MissingLines, Error, "A change lacks `newLines` or `expectedOriginalLines` ([L10](formats/lines.md#l10), [L12](formats/lines.md#l12)).", `{"operation": "delete", "startLine": 1, "endLine": 1}`, `{"operation": "delete", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["x"]}`, ""},
	{LinesNotArray, Error, "Lines must be a list of strings, one for each line ([L9](formats/lines.md#l9)).", `"newLines": "a\nb"`, `"newLines": ["a", "b"]`, "Makes it a list, with one element for each line of the string."},
	{LineNotString, Error, "A line is not a string ([L9](formats/lines.md#l9)).", `"newLines": [1]`, `"newLines": ["1"]`, ""},
	{LineBreakInLine, Error, "A line has a line break ([L9](formats/lines.md#l9)). It may be two lines, or the source code has `\\n` there, which JSON writes with two backslashes.", `"newLines": ["a\nb"]`, `"newLines": ["a", "b"]`, "Splits it into lines."},
	{EmptyNewLines, Error, "An insertion has no lines ([L10](formats/lines.md#l10)).", `"operation": "insert", "afterLine": 3, "newLines": []`, "the change left out", ""},
	{ExpectedCount, Error, "`expectedOriginalLines` has more or fewer lines than the range from `startLine` to `endLine` ([L12](formats/lines.md#l12)). It is unknown which of the two is right.", `"startLine": 1, "endLine": 2, "expectedOriginalLines": ["a"]`, `"startLine": 1, "endLine": 1, "expectedOriginalLines": ["a"]`, "Adjusts `endLine` to the number of lines."},
	{ExpectedDiffers, Error, "The hash is right, but the file has other lines at this place: the line numbers are wrong, or the lines were not copied verbatim ([L12](formats/lines.md#l12)).", "", "", "Writes the lines of the file if only white space differs. Otherwise writes the line numbers, if every expected line occurs in the file exactly once and in the same order."},
	{LinesOverlap, Error, "Two changes of a file cover the same lines ([L15](formats/lines.md#l15)). All line numbers are those of the file before any change.", "lines 10 to 12 deleted, and line 11 replaced", "one change of lines 10 to 12", ""},
	{LinesOrder, Error, "Changes are not in order from top to bottom ([L14](formats/lines.md#l14)).", "a change of line 20 before one of line 3", "the change of line 3 first", "Sorts them. Certain unless two of them insert at the same place."},
	{LoneReturn, Warning, "Lines are inserted after a line that ends with a lone carriage return, in a file whose other lines end differently. A tool that counts only line feeds would insert them elsewhere, and an insertion has no expected lines that would show the mistake ([L16](formats/lines.md#l16)).", "", "", ""},
	{NoteNotString, Warning, "A key, a label or a description is not a string ([L7](formats/lines.md#l7)). It is only for display, so it is ignored.", `"description": 1`, `"description": "why"`, "Removes it."},
}
