package artifact

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Mojibake describes a text in UTF-8 that was read in the encoding of old Windows programs, so that `é`
// became `Ã©`.
var Mojibake = Artifact{
	Signs:   "é",
	Name:    "wrong encoding",
	Differs: "with the encoding repaired",
	Fix:     "Decode the bytes as UTF-8",
	Sure:    true,
	Undo:    unmojibake,
	Shows:   func(s string) bool { _, ok := unmojibake(s); return ok },
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
