package text

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A Position is a position as the Language Server Protocol counts it: Line from 0,
// Character from 0 in UTF-16 units.
type Position struct{ Line, Character int }

// Lines is an index of one text. It converts between byte offsets and positions.
type Lines struct {
	src    string
	starts []int  // byte offset of each line; starts[0] == 0
	marks  []mark // nil if no line is long
}

// NewLines indexes src. A text with n line endings has n+1 lines, of which the last may be empty.
func NewLines(src string) *Lines {
	l := &Lines{src: src, starts: []int{0}}
	for at := 0; ; {
		end, next := LineEnd(src, at)
		if end-at > 2*stride && l.marks == nil {
			l.marks = marksOf(src)
		}
		if end == next {
			return l
		}
		l.starts = append(l.starts, next)
		at = next
	}
}

// LineEnd finds the end of the line that contains an offset. `end` is the offset of its line
// ending, and `next` is the start of the line after it. On the last line, both are len(src).
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

// LinesAround extends a span to whole lines. Lines end with LF here. The ending of the last line is added only if the span
// already has it.
func LinesAround(s string, span Span) Span {
	start := strings.LastIndexByte(s[:span.Start], '\n') + 1
	if !strings.HasSuffix(s[start:span.End], "\n") {
		line, _, _ := strings.Cut(s[span.End:], "\n")
		span.End += len(line)
	}
	return Span{Start: start, End: span.End}
}

// EachLine yields the span of each line without its ending, and the start of the line after it. If s ends with a line
// ending, there is no empty last line.
func EachLine(s string) iter.Seq2[Span, int] {
	return func(yield func(Span, int) bool) {
		for at := 0; at < len(s); {
			end, next := LineEnd(s, at)
			if !yield(Span{at, end}, next) {
				return
			}
			at = next
		}
	}
}

// LineAfter returns the beginning of the first line at or after an offset, or the end of the
// text.
func LineAfter(src string, at int) int {
	if at == 0 || src[at-1] == '\n' || src[at-1] == '\r' && !strings.HasPrefix(src[at:], "\n") {
		return at
	}
	_, next := LineEnd(src, at)
	return next
}

// indexEOL finds the first CR or LF. Searching for one byte is ten times as fast as searching for either of two bytes.
// But a search for one byte could run far beyond the line, because a file may have no CR, or no LF, and the time would
// be quadratic. Therefore indexEOL searches one window after another.
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

// Count returns the number of lines, at least 1.
func (l *Lines) Count() int { return len(l.starts) }

// Start returns the byte offset of the beginning of a line, counted from 0. For a line after the
// last, it returns the end of the text.
func (l *Lines) Start(line int) int {
	if line >= len(l.starts) {
		return len(l.src)
	}
	return l.starts[max(line, 0)]
}

// Line returns the span of a line, counted from 0, without its ending.
func (l *Lines) Line(line int) Span {
	start := l.Start(line)
	if line < 0 || line+1 >= len(l.starts) {
		return Span{start, len(l.src)}
	}
	end := l.starts[line+1] - 1
	if end > start && l.src[end] == '\n' && l.src[end-1] == '\r' {
		end--
	}
	return Span{start, end}
}

// At returns the line, counted from 0, that contains a byte offset. A line ending belongs to the
// line that it ends.
func (l *Lines) At(offset int) int {
	i, found := slices.BinarySearch(l.starts, offset)
	if found {
		return i
	}
	return i - 1
}

// Position converts a byte offset to a position. If the offset is inside a character, it returns
// the position of the character's start. If the offset is between CR and LF, it returns the end of
// the line.
func (l *Lines) Position(offset int) Position {
	offset = min(max(offset, 0), len(l.src))
	line := l.At(offset)
	span := l.Line(line)
	if offset = min(offset, span.End); l.marks != nil && offset-span.Start > 2*stride {
		return Position{line, l.unitsTo(offset) - l.unitsTo(span.Start)}
	}
	return Position{line, utf16Len(l.src[span.Start:offset])}
}

// Offset converts a position to a byte offset. As LSP requires, it returns the end of the line if the character is
// after that end, and the end of the text if the line is after the last one.
func (l *Lines) Offset(p Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.src)
	}
	span := l.Line(p.Line)
	units := 0
	if l.marks != nil && p.Character > 2*stride {
		before := l.unitsTo(span.Start)
		i := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].units > before+p.Character }) - 1
		if m := l.marks[i]; m.at > span.Start && m.at <= span.End {
			span.Start, units = m.at, m.units-before
		} else if m.at > span.End {
			return span.End
		}
	}
	for i, r := range l.src[span.Start:span.End] {
		if units >= p.Character {
			return span.Start + i
		}
		units += runeUnits(r)
	}
	return span.End
}

// stride is the distance in bytes between marks in a text with a long line. Without marks, each
// position in the line would cost a pass over the whole line.
const stride = 1024

// A mark is the start of a character, and the number of UTF-16 units before the character in the
// text.
type mark struct{ at, units int }

func marksOf(src string) []mark {
	marks, units := []mark{{0, 0}}, 0
	for at, r := range src {
		if at >= marks[len(marks)-1].at+stride {
			marks = append(marks, mark{at, units})
		}
		units += runeUnits(r)
	}
	return marks
}

func (l *Lines) unitsTo(offset int) int {
	m := l.marks[sort.Search(len(l.marks), func(i int) bool { return l.marks[i].at > offset })-1]
	return m.units + utf16Len(l.src[m.at:offset])
}

func utf16Len(s string) int {
	n := 0
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 && !utf8.FullRuneInString(s) {
			return n // if the offset is inside a character, count up to the start of the character
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
