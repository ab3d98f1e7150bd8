package artifact

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// CharacterEscape describes a text with escapes such as `\u00e9` in place of characters beyond ASCII.
var CharacterEscape = Artifact{
	Signs:   `\`,
	Lost:    "é",
	Name:    "escapes of characters",
	Differs: "with characters in place of their escapes",
	Fix:     "Write the characters in place of their escapes",
	Undo:    eachLine(unescapeCharacters),
	Loses:   "the text's own escapes",
	Asked:   true,
}

var characterEscape = lazyregexp.New(`(?:\\u[0-9a-fA-F]{4})+`)

// unescapeCharacters replaces the escapes of characters beyond ASCII in a line.
func unescapeCharacters(line string) string {
	return characterEscape.ReplaceAllStringFunc(line, func(escapes string) string {
		var out string
		if json.Unmarshal([]byte(`"`+escapes+`"`), &out) == nil && !strings.ContainsFunc(out, func(r rune) bool { return r < utf8.RuneSelf || r == utf8.RuneError }) {
			return out
		}
		return escapes
	})
}

// Shortcode describes a text with names in place of emoji, such as `:tada:`.
var Shortcode = Artifact{
	Signs:   ":",
	Lost:    "é",
	Name:    "names of emoji",
	Differs: "with emoji in place of their names",
	Fix:     "Write the emoji of the file",
	Restore: restoring(withoutEmoji, func(was, line string) bool { return shortcode.MatchString(line) && !shortcode.MatchString(was) }),
	Asked:   true,
}

var shortcode = lazyregexp.New(`:[a-z][a-z0-9_+-]+:`)

// withoutEmoji returns a line without emoji and without their names.
func withoutEmoji(line string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsPunct(r) {
			return -1
		}
		return r
	}, shortcode.ReplaceAllString(line, ""))
}

// LostURLEscape describes a text in which the escapes of web addresses were decoded.
var LostURLEscape = Artifact{
	Lost:    "%",
	Name:    "decoded URL escapes",
	Differs: "with the URL escapes of the file",
	Fix:     "Write the URL escapes of the file",
	Restore: restoring(withoutURLEscapes, func(was, line string) bool { return urlEscape.MatchString(was) && !urlEscape.MatchString(line) }),
	Asked:   true,
}

// withoutURLEscapes returns a line with its URL escapes decoded.
func withoutURLEscapes(line string) string {
	return urlEscape.ReplaceAllStringFunc(line, func(escape string) string {
		if out, err := url.PathUnescape(escape); err == nil {
			return out
		}
		return escape
	})
}
