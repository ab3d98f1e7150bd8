package lenientjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// An escape is the meaning of a backslash and the characters after it in a string.
type escape struct {
	size  int  // length in the source in bytes, including the backslash
	value rune // the character for which the escape stands, unless kept is true
	kept  bool // the escape has no meaning, so the value contains its characters as written
	code  diag.Code
}

func (e escape) valueLen() int {
	if e.kept {
		return e.size
	}
	return utf8.RuneLen(e.value)
}

var simpleEscapes = [256]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func readEscape(s string, quote byte) escape {
	if len(s) < 2 {
		return escape{size: len(s), kept: true, code: diag.JSONInvalidEscape}
	}
	if s[1] == 'u' {
		return readUnicodeEscape(s)
	}
	if r := simpleEscapes[s[1]]; r != 0 {
		return escape{size: 2, value: r}
	}
	if s[1] == quote {
		return escape{size: 2, value: rune(quote)}
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	if s[1] < ' ' {
		size = 0 // only the backslash is the mistake here, because a raw control character has its own diagnostic
	}
	return escape{size: 1 + size, kept: true, code: diag.JSONInvalidEscape}
}

func readUnicodeEscape(s string) escape {
	const size = len(`\u0000`)
	unit, ok := hexUnit(s)
	if !ok {
		n := 2
		for n < min(len(s), size) && isHex(s[n]) {
			n++
		}
		return escape{size: n, kept: true, code: diag.JSONInvalidEscape}
	}
	if !utf16.IsSurrogate(unit) {
		return escape{size: size, value: unit}
	}
	if low, ok := hexUnit(s[size:]); ok {
		if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
			return escape{size: 2 * size, value: r}
		}
	}
	return escape{size: size, value: utf8.RuneError, code: diag.JSONLoneSurrogate}
}

// hexUnit returns the UTF-16 unit of an escape `\uXXXX` at the start of s.
func hexUnit(s string) (rune, bool) {
	if len(s) < 6 || !strings.HasPrefix(s, `\u`) {
		return 0, false
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(unit), err == nil
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// problem describes the mistake in an escape whose source is `written`.
func (e escape) problem(written string) string {
	switch {
	case e.code == diag.JSONLoneSurrogate:
		return fmt.Sprintf("%s is only half of a surrogate pair; write both halves, or the character itself", written)
	case strings.HasPrefix(written, `\u`):
		return fmt.Sprintf("%s is not a valid escape: four hexadecimal digits are expected after \\u", written)
	case len(written) == 1:
		return `a backslash at the end of a line is not a JSON escape; a backslash itself is written \\`
	}
	return fmt.Sprintf(`%s is not a JSON escape; a backslash itself is written \\`, written)
}

// Quote returns s as a JSON string that escapes only quotes, backslashes and control characters.
// Bytes that are not UTF-8 become U+FFFD, because JSON cannot express them.
func Quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // the only possible error is that s is not UTF-8
	return string(quoted)
}

func escaped(c byte) string {
	quoted := Quote(string(rune(c)))
	return quoted[1 : len(quoted)-1]
}
