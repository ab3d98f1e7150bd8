package artifact

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Mojibake describes a text whose UTF-8 was read in the encoding of old Windows programs.
var Mojibake = Artifact{
	Signs:       "é",
	Name:        "wrong encoding",
	Origin:      "A program reads UTF-8 as Windows-1252: `Ã©` for `é`.",
	Differs:     "with the encoding repaired",
	Fix:         "Write the characters that the bytes mean in UTF-8",
	Forgives:    "Non-ASCII characters whose bytes were read as one character each.",
	Sure:        true,
	Replacement: "Its encoding is repaired as well.",
	Undo:        unmojibake,
	Shows:       func(s string) bool { _, ok := unmojibake(s); return ok },
	Do: []func(string) string{func(s string) string {
		out, err := charmap.Windows1252.NewDecoder().String(s)
		if err != nil || strings.ContainsRune(out, utf8.RuneError) {
			return s
		}
		return out
	}},
}

func unmojibake(s string) (string, bool) {
	if isASCII(s) {
		return s, false
	}
	out, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil || !utf8.ValidString(out) || out == s {
		return s, false
	}
	return out, true
}
