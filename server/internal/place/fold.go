package place

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// A Folded is a text without white space. Characters that look alike are replaced by the same character.
type Folded struct {
	Text string

	src   string
	meter *meter.Meter
	lines []place // the start of each line
}

// A place is an offset in the source and the same place in the folded text.
type place struct{ src, folded int }

// eachFolded is the cost of folding a byte, in units of the meter.
const eachFolded = 8

// Fold folds the text s. It charges the meter m, which may be nil, for folding and for later searches. If the meter
// is spent, the folded text is empty.
func Fold(s string, m *meter.Meter) *Folded {
	if !m.Pay(eachFolded * len(s)) {
		s = ""
	}
	f := &Folded{src: s, meter: m, lines: make([]place, 0, 1+strings.Count(s, "\n"))}
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

// Source returns the source offset of the character at an offset of the folded text. If `end` is true, it returns the
// offset after the preceding character.
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

// foldRune returns the folded form of the character r, whose bytes are s.
func foldRune(r rune, s string) string {
	switch {
	case r <= ' ' || unicode.IsSpace(r) || artifact.IsInvisible(r):
		return ""
	case r < utf8.RuneSelf:
		return s
	case r >= 0xFF01 && r <= 0xFF5E: // full-width characters
		return string(r - 0xFF01 + '!')
	}
	if plain := artifact.Plain(r); plain != "" {
		return plain
	}
	return s
}
