package diag

// The problems of JSON text (RFC 8259). All are errors except the byte order mark. A block
// with one of the errors is never applied.
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
	{JSONEmpty, Error, "The block is empty ([R21](formats/README.md#r21)).", "", `{"root": ".", "files": [...]}`, ""},
	{JSONBOM, Hint, "The JSON begins with a byte order mark ([R21](formats/README.md#r21)). It is skipped.", "U+FEFF `{ ... }`", "`{ ... }`", "Removes it; certain."},
	{JSONTextBefore, Error, "There is text before the JSON value. A block must be pure JSON ([R21](formats/README.md#r21)).", "Here you are:\n{ ... }", "{ ... }", "Removes the text. Certain if it has no quotes, brackets or members, and does not say that something is left out."},
	{JSONTextAfter, Error, "There is text after the JSON value. A block must be pure JSON ([R21](formats/README.md#r21)).", "{ ... }\nThat is all.", "{ ... }", "Removes the text, under the same conditions as text before the value. There is no fix for a second value."},
	{JSONOverEscaped, Error, "There is a backslash outside a string: the JSON was escaped once too often ([R23](formats/README.md#r23)).", `{\"path\": \"a.txt\"}`, `{"path": "a.txt"}`, "Removes a level of escapes if the result is JSON; offered."},
	{JSONComment, Error, "JSON has no comments ([R21](formats/README.md#r21)).", `"path": "a.txt" // the file`, `"path": "a.txt"`, "Removes the comment. Certain if it names no member and does not say that something is left out."},
	{JSONTrailingComma, Error, "There is a comma before a closing bracket ([R23](formats/README.md#r23)).", `["a", "b",]`, `["a", "b"]`, "Removes the comma; certain."},
	{JSONExtraComma, Error, "There is a comma where a value is expected ([R23](formats/README.md#r23)).", `["a",, "b"]`, `["a", "b"]`, "Removes the comma; certain."},
	{JSONMissingComma, Error, "Two values or members follow each other without a comma ([R23](formats/README.md#r23)).", `{"find": "a" "replace": "b"}`, `{"find": "a", "replace": "b"}`, "Inserts the comma. Certain between objects and before a known member."},
	{JSONMissingColon, Error, "The name of a member is not followed by a colon ([R23](formats/README.md#r23)), but by nothing, or by the sign that another language uses ([R43](formats/README.md#r43)).", `{"root" = ".", "path" "a.txt"}`, `{"root": ".", "path": "a.txt"}`, "Writes the colon. Certain between the name of a known member and a value."},
	{JSONMissingName, Error, "A value in an object has no member name ([R23](formats/README.md#r23)).", `{"files": [], {"path": "a.txt"}}`, `{"files": [{"path": "a.txt"}]}`, ""},
	{JSONMissingValue, Error, "A member has a name and no value ([R23](formats/README.md#r23)).", `{"content": }`, `{"content": ""}`, ""},
	{JSONDuplicateName, Error, "An object has two members with the same name, so it is unclear which one is meant ([R23](formats/README.md#r23)).", `{"path": "a.txt", "path": "b.txt"}`, `{"path": "a.txt"}`, "Removes one of the two. Certain if both have the same value."},
	{JSONUnquotedName, Error, "A member name has no double quotes ([R23](formats/README.md#r23)).", `{path: "a.txt"}`, `{"path": "a.txt"}`, "Writes the quotes. Certain for known members."},
	{JSONWrongQuotes, Error, "A string is not in double quotes ([R23](formats/README.md#r23)), or it is in three of them, as in Python ([R42](formats/README.md#r42)).", `{'path': “a.txt”}`, `{"path": "a.txt"}`, "Writes double quotes, and escapes those inside. Certain if only one delimiter can be the end, and the text between the delimiters has only one reading."},
	{JSONUnescapedQuote, Error, "A double quote inside a string is not escaped, so the string seems to end there ([R23](formats/README.md#r23)).", `"content": "say "hi" twice"`, `"content": "say \"hi\" twice"`, "Escapes the quotes. Certain in `content`, `find` and `replace` if the quotes come in pairs, none of them could be the end, a known member follows, and nothing else in the string has two readings."},
	{JSONUnterminatedString, Error, "A string has no closing quote ([R23](formats/README.md#r23)).", `"path": "a.txt,`, `"path": "a.txt",`, "Closes the string at the end of its line; offered."},
	{JSONRawNewline, Error, "A string has an unescaped line break; write `\\n` ([R22](formats/README.md#r22)).", "\"content\": \"one\ntwo\"", `"content": "one\ntwo"`, "Writes `\\n` for every line break in the string. Certain if the string has no other escapes than those of quotes; otherwise, only a part of the text may be escaped."},
	{JSONControlCharacter, Error, "A string has an unescaped control character, such as a tab ([R22](formats/README.md#r22)).", "\"content\": \"a\tb\"", `"content": "a\tb"`, "Writes the escapes. Certain for tabs, under the conditions for line breaks."},
	{JSONNUL, Error, "The block has a NUL byte, most often a sign of damage in transit ([R23](formats/README.md#r23)).", "a NUL byte in a string", "the string without it", "Removes the byte; offered."},
	{JSONInvalidEscape, Error, "A string has a backslash that does not begin a JSON escape ([R23](formats/README.md#r23)). A backslash itself is written `\\`.", `"find": "\d+"`, `"find": "\\d+"`, "Doubles the backslash, or removes it. Doubling is certain before letters and digits that regular expressions use after a backslash, if the string has no other escapes."},
	{JSONLoneSurrogate, Error, "A `\\u` escape is half of a surrogate pair: it is not a character and cannot be written to a file ([R23](formats/README.md#r23)).", `"\ud83d"`, `"\ud83d\ude00"`, ""},
	{JSONInvalidUTF8, Error, "The block has bytes that are not UTF-8 ([R23](formats/README.md#r23)).", "bytes that are not UTF-8", "the same text in UTF-8", ""},
	{JSONBadNumber, Error, "A number is not valid JSON ([R23](formats/README.md#r23)).", `01, +1, .5, 0x1F`, `1, 1, 0.5, 31`, ""},
	{JSONBadLiteral, Error, "A word is not a JSON value: JSON has true, false and null, and strings in double quotes ([R23](formats/README.md#r23)).", `None, True, undefined, NaN`, `null, true, null, null`, "Writes the JSON word, or the quotes. Certain for `None`, `True`, `undefined` and the like; offered for `NaN` and all other words."},
	{JSONUnexpectedCharacter, Error, "JSON does not allow this character here, such as a no-break space between two members ([R23](formats/README.md#r23)).", `{"a": @}`, `{"a": "@"}`, "Writes plain spaces for characters that look like them. Certain if no string has such characters."},
	{JSONUnclosed, Error, "An object or array is not closed ([R23](formats/README.md#r23)).", `{"files": [{"path": "a.txt"}`, `{"files": [{"path": "a.txt"}]}`, "Inserts the bracket. Certain inside the block. At the end of the block, it is certain only for the outermost bracket, because a list that is still open may lack elements."},
	{JSONMismatchedBracket, Error, "A closing bracket does not match an opening one ([R23](formats/README.md#r23)).", `["a"}`, `["a"]`, "Writes the right bracket at the end of the block, or removes the brackets that follow the value; certain."},
	{JSONTooDeep, Error, "Arrays and objects nest more than 10,000 deep ([R23](formats/README.md#r23)).", "[[[[...", "", ""},
	{JSONTooLarge, Error, "The block has more than 2,097,152 values ([R23](formats/README.md#r23)).", "", "", ""},
}
