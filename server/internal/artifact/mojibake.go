package artifact

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Mojibake describes a UTF-8 text that was read in the encoding of old Windows programs, so that `é` became `Ã©`.
var Mojibake = Artifact{
	Signs:   "é",
	Name:    "a wrong encoding",
	Differs: "with the encoding repaired",
	Fix:     "Decode the bytes as UTF-8",
	Sure:    true,
	Undo:    unmojibake,
	Shows:   func(s string) bool { _, ok := unmojibake(s); return ok },
}

var beyondASCII = lazyregexp.New(`[^\x00-\x7f]+`)

// unmojibake decodes each run of non-ASCII characters. It returns false if most runs cannot be decoded.
func unmojibake(s string) (string, bool) {
	if text.IsASCII(s) {
		return s, false
	}
	decoded := 0
	out := beyondASCII.ReplaceAllStringFunc(s, func(run string) string {
		was, err := charmap.Windows1252.NewEncoder().String(run)
		if err != nil || !utf8.ValidString(was) {
			decoded--
			return run
		}
		decoded++
		return was
	})
	return out, decoded > 0
}

// misread holds the encodings in which programs read texts by mistake.
var misread = []*charmap.Charmap{charmap.Windows1252, charmap.Macintosh, charmap.CodePage437, charmap.CodePage850, charmap.Windows1250, charmap.Windows1251, charmap.KOI8R, charmap.ISO8859_15}

// isMisread reports whether a text changed because its bytes were read in a wrong encoding, once or twice. Bytes
// without a meaning in that encoding may be lost, so they are ignored.
func isMisread(was, is string) bool {
	for _, as := range misread {
		now := was
		for range 2 {
			var err error
			if now, err = as.NewDecoder().String(now); err == nil && visible(now) == visible(is) {
				return true
			}
		}
	}
	return false
}

func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && r <= 0xa0 || r == 0xad || r == ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}
