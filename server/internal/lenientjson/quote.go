package lenientjson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Quote returns s as a JSON string that escapes only quotes, backslashes and control characters.
// Bytes that are not UTF-8 become U+FFFD, because JSON cannot express them.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i := 0; i < len(s); {
		n := plain(s[i:])
		b.WriteString(s[i : i+n])
		if i += n; i == len(s) {
			break
		}
		if s[i] >= utf8.RuneSelf {
			b.WriteRune(utf8.RuneError)
		} else {
			b.WriteString(escaped(s[i]))
		}
		i++
	}
	b.WriteByte('"')
	return b.String()
}

// plain returns the number of bytes at the start of s that need no escape.
func plain(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
				return i
			}
		}
		i += size
	}
	return len(s)
}

func escaped(c byte) string {
	switch c {
	case '"', '\\':
		return `\` + string(c)
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}
