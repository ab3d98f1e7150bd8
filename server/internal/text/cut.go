package text

import "unicode/utf8"

// Cut shortens a text for a message: it keeps at most the given number of bytes, without splitting a character,
// and then writes "…".
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// Short shortens a name or a value that a message quotes.
func Short(s string) string { return Cut(s, 40) }
