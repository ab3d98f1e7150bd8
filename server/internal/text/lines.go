package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Position is a place as the Language Server Protocol counts it: Line from 0,
// Character from 0 in UTF-16 units.
type Position struct{ Line, Character int }

// Lines is an index over one text that converts between byte offsets and
// positions. Building it costs one pass; it keeps the text.
type Lines struct {
	src    string
	starts []int // of each line, in bytes; starts[0] == 0
}

// NewLines indexes src. A text of n line endings has n+1 lines; the last may be
// empty.
func NewLines(src string) *Lines {
	l := &Lines{src: src, starts: []int{0}}
	for at := 0; ; {
		end, next := LineEnd(src, at)
		if end == next {
			return l
		}
		l.starts = append(l.starts, next)
		at = next
	}
}

// LineEnd finds where the line that holds offset at ends: end is the offset of
// its line ending, next the start of the line after it. Both are len(src) on
// the last line.
func LineEnd(src string, at int) (end, next int) {
	i := indexEOL(src[at:])
	if i < 0 {
		return len(src), len(src)
	}
	end = at + i
	if src[end] == '\r' && end+1 < len(src) && src[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}

// indexEOL finds the first CR or LF. Searching for one byte is ten times as fast as
// for one of two, but no search may run far beyond the line, or a file without one of
// the two would take the square of its length.
func indexEOL(s string) int {
	const window = 256
	for at := 0; at < len(s); at += window {
		near := s[at:min(len(s), at+window)]
		end := strings.IndexByte(near, '\n')
		if end >= 0 {
			near = near[:end]
		}
		if cr := strings.IndexByte(near, '\r'); cr >= 0 {
			return at + cr
		}
		if end >= 0 {
			return at + end
		}
	}
	return -1
}

// Count is the number of lines, at least 1.
func (l *Lines) Count() int { return len(l.starts) }

// Start is the byte offset at which the 0-based line begins; that of the end of
// the text for a line after the last.
func (l *Lines) Start(line int) int {
	if line >= len(l.starts) {
		return len(l.src)
	}
	return l.starts[max(line, 0)]
}

// Line is the span of the 0-based line without its ending.
func (l *Lines) Line(line int) Span {
	start := l.Start(line)
	end, _ := LineEnd(l.src, start)
	return Span{start, end}
}

// At is the 0-based line that holds the byte offset. A line ending belongs to
// the line that it ends.
func (l *Lines) At(offset int) int {
	i, found := slices.BinarySearch(l.starts, offset)
	if found {
		return i
	}
	return i - 1
}

// Position converts a byte offset. An offset inside a character, or between CR
// and LF, is that of the character's start, or the line's end.
func (l *Lines) Position(offset int) Position {
	offset = min(max(offset, 0), len(l.src))
	line := l.At(offset)
	span := l.Line(line)
	return Position{line, utf16Len(l.src[span.Start:min(offset, span.End)])}
}

// Offset converts a position. A character after the line's end is the line's
// end, and a line after the last is the text's end: the protocol asks for both.
func (l *Lines) Offset(p Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.src)
	}
	span := l.Line(p.Line)
	units := 0
	for i, r := range l.src[span.Start:span.End] {
		if units >= p.Character {
			return span.Start + i
		}
		units += runeUnits(r)
	}
	return span.End
}

func utf16Len(s string) int {
	n := 0
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 && !utf8.FullRuneInString(s) {
			return n // cut inside a character: it starts here
		}
		n += runeUnits(r)
		s = s[size:]
	}
	return n
}

func runeUnits(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}
