package locate

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folded is a text without any white space, in which characters that look alike
// are the same.
type Folded struct {
	Text string

	src   string
	lines []place // where lines begin
}

// A place is the same one in the source and in the folded text.
type place struct{ src, folded int }

// Fold folds s.
func Fold(s string) *Folded {
	f := &Folded{src: s, lines: make([]place, 0, 1+strings.Count(s, "\n"))}
	out := make([]byte, 0, len(s))
	f.lines = append(f.lines, place{})
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\n':
			i++
			f.lines = append(f.lines, place{i, len(out)})
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			out = append(out, foldRune(r, s[i:i+size])...)
			i += size
		default:
			if c > ' ' {
				out = append(out, c)
			}
			i++
		}
	}
	f.Text = string(out)
	return f
}

// Source is the offset in the source of the character that the folded text has at
// offset; with end, that after the character before it.
func (f *Folded) Source(offset int, end bool) int {
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i].folded > offset || end && f.lines[i].folded == offset })
	at := f.lines[max(i-1, 0)]
	last := at.src
	for at.src < len(f.src) {
		r, size := utf8.DecodeRuneInString(f.src[at.src:])
		n := len(foldRune(r, f.src[at.src:at.src+size]))
		if !end && n > 0 && at.folded+n > offset {
			return at.src
		}
		if end && at.folded >= offset {
			return last
		}
		at.src, at.folded = at.src+size, at.folded+n
		if n > 0 {
			last = at.src
		}
	}
	if end {
		return last
	}
	return len(f.src)
}

// foldRune is what r, written as s, is in a folded text.
func foldRune(r rune, s string) string {
	switch {
	case r <= ' ' || unicode.IsSpace(r) || IsInvisible(r):
		return ""
	case r < utf8.RuneSelf:
		return s
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return string(r - 0xFF01 + '!')
	}
	if plain := Plain(r); plain != "" {
		return plain
	}
	return s
}

// IsInvisible reports whether r takes no place: zero-width characters, marks of
// direction and of byte order, soft hyphens.
func IsInvisible(r rune) bool {
	switch {
	case r == 0x00AD, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069, r == 0xFEFF:
		return true
	}
	return false
}

// Plain is the ASCII that a typographic character is written for; "" where it is
// for none.
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
	}
	return ""
}
