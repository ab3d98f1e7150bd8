package artifact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

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

// LostCharacter describes a text whose non-ASCII characters are missing or replaced.
var LostCharacter = Artifact{
	Lost:    "é",
	Name:    "lost characters",
	Differs: "only non-ASCII characters differ",
	Fix:     "Use the characters of the file",
	Restore: func(s string, old []string) (string, bool) {
		if !hasNonASCII(old) || PlainText(s) == PlainText(strings.Join(old, "\n")) {
			// If nothing else was edited, a person may have asked for plain characters.
			return s, false
		}
		if out, ok := restoring(asciiOnly, lostNonASCII)(s, old); ok {
			return out, ok
		}
		return restoring(withoutNonASCII, lostNonASCII)(s, old)
	},
	Asked: true,
}

func lostNonASCII(was, line string) bool {
	// Only letters and typographic characters count: emoji are decorative and may be left out on purpose, and a plain
	// space does no harm.
	lost := func(r rune) bool { return r >= utf8.RuneSelf && (unicode.IsLetter(r) || !text.IsBlank(Plain(r))) }
	// A program that removes one non-ASCII character removes all of them.
	return strings.ContainsFunc(was, lost) && text.IsASCII(strings.ReplaceAll(line, "\ufffd", ""))
}

// withoutNonASCII drops the non-ASCII characters of a line, and the usual substitutes for them: `?` and white space.
func withoutNonASCII(line string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf || r == '?' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, PlainText(line))
}

// asciiOnly writes `e` for `é`, and drops the other characters that [withoutNonASCII] drops.
func asciiOnly(line string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(PlainText(line)) {
		if r < utf8.RuneSelf && r != '?' && !unicode.IsSpace(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// restoring returns an [Artifact.Restore] that replaces a line with the old line that folds to the same text, if
// `differ` reports that the artifact explains the difference.
func restoring(fold func(string) string, differ func(was, line string) bool) func(string, []string) (string, bool) {
	return func(s string, old []string) (string, bool) {
		lost, most := map[string]string{}, 0
		for line := range strings.SplitSeq(s, "\n") {
			most = max(most, nonBlanks(line))
		}
		for _, line := range old {
			if nonBlanks(line) >= 2*most {
				continue // No new line is similar enough to this old line.
			}
			key := fold(line)
			if had, ok := lost[key]; ok && had != line {
				line = ""
			}
			lost[key] = line
		}
		return eachLine(func(line string) string {
			if was := lost[fold(line)]; was != "" && was != line && text.Indentation(was) == text.Indentation(line) && 2*nonBlanks(line) > nonBlanks(was) && differ(was, line) {
				return was
			}
			return line
		})(s)
	}
}

func always(string, string) bool { return true }

func hasNonASCII(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return !text.IsASCII(line) })
}
