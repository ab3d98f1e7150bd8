package artifact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// LookAlike allows characters that look like characters of the file, such as `“` for `"`.
var LookAlike = Artifact{
	Signs:   "é",
	Name:    "look-alikes",
	Differs: "only quotes, dashes or white space differ",
	// Fold keeps the white space between words: without it, so many lines would be equal that a hunk could not be
	// recognized.
	Fold:  func(line string) string { return Spacing.Fold(plain(line)) },
	Fix:   "Write plain characters",
	Undo:  changing(PlainText),
	Loses: "typographic characters that belong to the text",
	Prose: true,
	Shows: quotesCode,
	Asked: true,
}

// fullWidth is the full-width form of '!', which is the first of the full-width characters. Each
// visible character of ASCII has such a form.
const fullWidth = 0xFF01

// PlainText returns the text with plain characters in place of all look-alikes, and without invisible characters.
func PlainText(s string) string {
	s = plain(s)
	return strings.Map(func(r rune) rune {
		switch {
		case r >= fullWidth && r <= fullWidth+'~'-'!':
			return r - fullWidth + '!'
		case r >= '𝐀' && r <= '𝟿': // letters and digits in mathematical fonts
			plain, _ := utf8.DecodeRuneInString(norm.NFKC.String(string(r)))
			return plain
		case IsInvisible(r):
			return -1
		}
		return r
	}, s)
}

func plain(line string) string {
	if text.IsASCII(line) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if p := Plain(r); p != "" {
			b.WriteString(p)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsInvisible reports whether a character has no width, such as a zero-width space, a direction mark, a byte order mark
// or a soft hyphen.
func IsInvisible(r rune) bool {
	switch {
	case r == 0x00AD, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069, r == 0xFEFF:
		return true
	}
	return false
}

// Plain returns the ASCII form of a typographic character, or "" if there is none.
func Plain(r rune) string {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ', '＇':
		return "'"
	case '“', '”', '„', '‟', '″', '＂':
		return `"`
	case '‐', '‑', '‒', '–', '—', '―', '−', '－':
		return "-"
	case '…':
		return "..."
	case '\u00A0', '\u2002', '\u2003', '\u2007', '\u2009', '\u202F', '\u3000':
		return " "
	case 'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ', 'ﬅ', 'ﬆ': // ligatures of a typeset page
		return norm.NFKC.String(string(r))
	}
	return ""
}

var codeQuote = lazyregexp.New(`[(=\[{,:+] ?[“‘„][^“”‘’]*[”’]|[“‘][^“”‘’]*[”’][)\],;:]`)

// quotesCode reports whether a text has typographic quotes around words that must be strings in code, and no other
// quotes. It also returns true if the text has many full-width characters and no ASCII letter.
func quotesCode(s string) bool {
	wide, letters := 0, false
	for _, r := range s {
		letters = letters || r < utf8.RuneSelf && unicode.IsLetter(r)
		if r >= fullWidth && r <= fullWidth+'~'-'!' {
			wide++
		}
	}
	return wide >= int(text.Passage) && !letters || strings.ContainsAny(s, "“‘„”’") && !strings.ContainsAny(s, "\"'") && codeQuote.MatchString(s)
}
