package artifact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Encoded describes a text that was written as base64 or in hexadecimal digits.
var Encoded = Artifact{
	Name:    "encoded text",
	Differs: "once it is decoded",
	Fix:     "Decode the text",
	Undo:    decode,
	Shows:   func(s string) bool { _, ok := decode(s); return ok },
}

// shortestEncoded is the smallest number of characters, without white space, of a text that counts as encoded data.
const shortestEncoded = 40

func decode(s string) (string, bool) {
	if strings.ContainsAny(strings.TrimSpace(s), " \t(") {
		return s, false
	}
	digits := strings.Join(strings.Fields(s), "")
	if len(digits) < shortestEncoded {
		return s, false
	}
	for _, read := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
		if b, err := read(digits); err == nil && isPlain(string(b)) {
			return string(b), true
		}
	}
	return s, false
}

// isPlain reports whether decoded data are text: they have several lines, and only characters that occur in text.
func isPlain(s string) bool {
	return utf8.ValidString(s) && strings.Contains(s, "\n") && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\r\n\f", r) || r == 0x7f })
}
