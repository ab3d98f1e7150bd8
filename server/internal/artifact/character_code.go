package artifact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// CharacterEscape describes a text with escapes such as `\u00e9` in place of non-ASCII characters.
var CharacterEscape = Artifact{
	Signs:   `\`,
	Lost:    "é",
	Name:    "escapes of characters",
	Differs: "with characters in place of their escapes",
	Fix:     "Write the characters in place of their escapes",
	Undo:    eachLine(unescapeCharacters),
	Loses:   "escapes that belong to the text",
	Asked:   true,
}

var characterEscape = lazyregexp.New(`(?:\\u[0-9a-fA-F]{4})+`)

func unescapeCharacters(line string) string {
	return characterEscape.ReplaceAllStringFunc(line, func(escapes string) string {
		var out string
		if json.Unmarshal([]byte(`"`+escapes+`"`), &out) == nil && !strings.ContainsFunc(out, func(r rune) bool { return r < utf8.RuneSelf || r == utf8.RuneError }) {
			return out
		}
		return escapes
	})
}
