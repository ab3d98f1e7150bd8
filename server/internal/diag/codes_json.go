package diag

// What can be wrong with the text of JSON (RFC 8259). Each is an error but the
// byte order mark; a block with one of the errors is never applied.
const (
	JSONEmpty               Code = "json-empty"
	JSONBOM                 Code = "json-bom"
	JSONTextBefore          Code = "json-text-before"
	JSONTextAfter           Code = "json-text-after"
	JSONOverEscaped         Code = "json-over-escaped"
	JSONComment             Code = "json-comment"
	JSONTrailingComma       Code = "json-trailing-comma"
	JSONExtraComma          Code = "json-extra-comma"
	JSONMissingComma        Code = "json-missing-comma"
	JSONMissingColon        Code = "json-missing-colon"
	JSONMissingName         Code = "json-missing-name"
	JSONMissingValue        Code = "json-missing-value"
	JSONDuplicateName       Code = "json-duplicate-name"
	JSONUnquotedName        Code = "json-unquoted-name"
	JSONWrongQuotes         Code = "json-wrong-quotes"
	JSONUnescapedQuote      Code = "json-unescaped-quote"
	JSONUnterminatedString  Code = "json-unterminated-string"
	JSONRawNewline          Code = "json-raw-newline"
	JSONControlCharacter    Code = "json-control-character"
	JSONNUL                 Code = "json-nul"
	JSONInvalidEscape       Code = "json-invalid-escape"
	JSONLoneSurrogate       Code = "json-lone-surrogate"
	JSONInvalidUTF8         Code = "json-invalid-utf8"
	JSONBadNumber           Code = "json-bad-number"
	JSONBadLiteral          Code = "json-bad-literal"
	JSONUnexpectedCharacter Code = "json-unexpected-character"
	JSONUnclosed            Code = "json-unclosed"
	JSONMismatchedBracket   Code = "json-mismatched-bracket"
	JSONTooDeep             Code = "json-too-deep"
	JSONTooLarge            Code = "json-too-large"
)

var jsonDocs = []Doc{
	{JSONEmpty, Error, "The block is empty where JSON is expected.", "", `{"root": ".", "files": [...]}`, ""},
	{JSONBOM, Hint, "The JSON begins with a byte order mark. It is skipped.", "U+FEFF `{ ... }`", "`{ ... }`", "Removes it; certain."},
	{JSONTextBefore, Error, "There is text before the JSON value. A block holds pure JSON ([R21](formats/README.md#r21)).", "Here you are:\n{ ... }", "{ ... }", "Removes the text. Certain where it has no quotes, brackets or members, and no word of something left out."},
	{JSONTextAfter, Error, "There is text after the JSON value. A block holds pure JSON ([R21](formats/README.md#r21)).", "{ ... }\nThat is all.", "{ ... }", "Removes the text, as before the value. Nothing is offered for a second value."},
	{JSONOverEscaped, Error, "A backslash stands outside a string: the JSON was escaped once too often.", `{\"path\": \"a.txt\"}`, `{"path": "a.txt"}`, "Takes a level of escapes off, where that makes JSON of the block; offered."},
	{JSONComment, Error, "JSON has no comments.", `"path": "a.txt" // the file`, `"path": "a.txt"`, "Removes the comment. Certain where it names no member and says of nothing that it is left out."},
	{JSONTrailingComma, Error, "A comma stands before a closing bracket.", `["a", "b",]`, `["a", "b"]`, "Removes the comma; certain."},
	{JSONExtraComma, Error, "A comma stands where a value is expected.", `["a",, "b"]`, `["a", "b"]`, "Removes the comma; certain."},
	{JSONMissingComma, Error, "Two values or members follow each other without a comma.", `{"find": "a" "replace": "b"}`, `{"find": "a", "replace": "b"}`, "Inserts the comma. Certain between objects and before a member that is known."},
	{JSONMissingColon, Error, "The name of a member is not followed by a colon.", `{"path" "a.txt"}`, `{"path": "a.txt"}`, "Inserts the colon. Certain between the name of a known member and a value."},
	{JSONMissingName, Error, "A value stands in an object without the name of a member.", `{"files": [], {"path": "a.txt"}}`, `{"files": [{"path": "a.txt"}]}`, ""},
	{JSONMissingValue, Error, "A member has a name and no value.", `{"content": }`, `{"content": ""}`, ""},
	{JSONDuplicateName, Error, "An object has two members of one name, so it is not clear which is meant.", `{"path": "a.txt", "path": "b.txt"}`, `{"path": "a.txt"}`, "Removes one of the two. Certain where both have the same value."},
	{JSONUnquotedName, Error, "The name of a member stands without double quotes.", `{path: "a.txt"}`, `{"path": "a.txt"}`, "Writes the quotes. Certain for members that are known."},
	{JSONWrongQuotes, Error, "A string is delimited by something else than double quotes.", `{'path': “a.txt”}`, `{"path": "a.txt"}`, "Writes double quotes, and escapes those inside. Certain where only one delimiter can be the end."},
	{JSONUnescapedQuote, Error, "A double quote inside a string is not escaped, so that the string seems to end there.", `"content": "say "hi" twice"`, `"content": "say \"hi\" twice"`, "Escapes the quotes. Certain in `content`, `find` and `replace` where they come in pairs, none of them could be the end, a known member follows, and nothing else in the string can be read in two ways."},
	{JSONUnterminatedString, Error, "A string has no closing quote.", `"path": "a.txt,`, `"path": "a.txt",`, "Closes the string at the end of its line; offered."},
	{JSONRawNewline, Error, "A string holds a line break as it is; it must be written `\\n` ([R22](formats/README.md#r22)).", "\"content\": \"one\ntwo\"", `"content": "one\ntwo"`, "Writes `\\n` for every line break in the string. Certain where the string has no other escapes than those of quotes: it may have been pasted as it is."},
	{JSONControlCharacter, Error, "A string holds a control character as it is, such as a tab; it must be escaped ([R22](formats/README.md#r22)).", "\"content\": \"a\tb\"", `"content": "a\tb"`, "Writes the escapes. Certain for tabs, under the conditions for line breaks."},
	{JSONNUL, Error, "The block holds a NUL byte, which is most often a sign of damage on the way.", "a NUL byte in a string", "the string without it", "Removes it; offered."},
	{JSONInvalidEscape, Error, "A string has a backslash that begins no escape of JSON. A backslash itself is written `\\\\`.", `"find": "\d+"`, `"find": "\\d+"`, "Doubles the backslash, or removes it. Doubling is certain before the letters and digits of patterns, where the string has no other escapes."},
	{JSONLoneSurrogate, Error, "A `\\u` escape is half of a surrogate pair: it is no character, and cannot be written to a file.", `"\ud83d"`, `"\ud83d\ude00"`, ""},
	{JSONInvalidUTF8, Error, "The block holds bytes that are not UTF-8.", "bytes that are not UTF-8", "the same text in UTF-8", ""},
	{JSONBadNumber, Error, "A number is not written as JSON wants it.", `01, +1, .5, 0x1F`, `1, 1, 0.5, 31`, ""},
	{JSONBadLiteral, Error, "A word stands where a value is expected: JSON has true, false and null, and strings in double quotes.", `None, True, undefined, NaN`, `null, true, null, null`, "Writes JSON's word, or the quotes. Certain for `None`, `True`, `undefined` and such; offered for `NaN` and for all other words."},
	{JSONUnexpectedCharacter, Error, "A character stands where JSON has none, such as a no-break space between two members.", `{"a": @}`, `{"a": "@"}`, "Writes plain blanks for others that look like them. Certain where no string has such characters."},
	{JSONUnclosed, Error, "An object or array is not closed.", `{"files": [{"path": "a.txt"}`, `{"files": [{"path": "a.txt"}]}`, "Inserts the bracket. Certain inside the block, and at its end for the outermost one alone: a list that is still open may have gone on."},
	{JSONMismatchedBracket, Error, "A closing bracket has no opening one of its kind.", `["a"}`, `["a"]`, "Writes the right bracket at the end of the block, or removes brackets behind it; certain."},
	{JSONTooDeep, Error, "Arrays and objects nest more than 10,000 deep.", "[[[[...", "", ""},
	{JSONTooLarge, Error, "The block has more than 2,097,152 values.", "", "", ""},
}
