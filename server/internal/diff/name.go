package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/escape"
)

// QuoteName writes a file's name as git does in a header. It quotes the name in C style if a character is invisible
// or would break the line or the quoting.
func QuoteName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r == '"' || r == '\\' || escape.Invisible(r) }) {
		return name
	}
	return `"` + escaped(name) + `"`
}

// NameInLine is [QuoteName] for a `---` or `+++` line. As git does, it adds a tab after a name with a space, because
// the space could be mistaken for the end of the name.
func NameInLine(name string) string {
	quoted := QuoteName(name)
	if strings.Contains(quoted, " ") && quoted[0] != '"' {
		return quoted + "\t"
	}
	return quoted
}

// headerName returns a name for the line `diff --git`. If no line below repeats the names, git looks for the space
// between them, and mistakes a slash after a space for the start of an absolute path. Therefore a name with a space
// before a slash is quoted.
func headerName(name string) string {
	if strings.Contains(name, " /") {
		return `"` + escaped(name) + `"`
	}
	return QuoteName(name)
}

// letters are the letters of C's escapes, and meant are the characters for which they stand.
const letters, meant = `abfnrtv"\`, "\a\b\f\n\r\t\v\"\\"

func escaped(name string) string {
	var b strings.Builder
	for i, r := range name {
		letter := strings.IndexByte(meant, name[i])
		switch size := max(1, utf8.RuneLen(r)); {
		case letter >= 0:
			b.WriteByte('\\')
			b.WriteByte(letters[letter])
		case escape.Invisible(r):
			for _, c := range []byte(name[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\ufffd"):
			b.WriteByte(name[i])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// UnquoteName reads the quoted name in C style at the start of s. `size` is the length of the quoted name in bytes.
// UnquoteName returns false if s does not begin with such a name.
func UnquoteName(s string) (name string, size int, ok bool) {
	if s == "" || s[0] != '"' {
		return "", 0, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), i + 1, true
		case c != '\\':
			b.WriteByte(c)
		default:
			c, n := unescape(s[i+1:])
			if n == 0 {
				return "", 0, false
			}
			b.WriteByte(c)
			i += n
		}
	}
	return "", 0, false
}

// unescape reads an escape without its backslash. It returns the character and the length of the escape, which is 0
// if there is no escape.
func unescape(s string) (c byte, n int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(letters, s[0]); i >= 0 {
		return meant[i], 1
	}
	if len(s) < 3 || s[0] < '0' || s[0] > '3' || s[1] < '0' || s[1] > '7' || s[2] < '0' || s[2] > '7' {
		return 0, 0
	}
	return (s[0]-'0')<<6 | (s[1]-'0')<<3 | (s[2] - '0'), 3
}
