// Package hunk places the hunks of a unified diff in a text. Each hunk gets the place that git
// would choose, or no place. If git refuses a hunk whose place is clear, a fix rewrites the hunk so
// that git accepts it.
package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Hunk is one hunk as written in the patch. All spans are bytes of the block's body.
type Hunk struct {
	At     text.Span // from the header to the last line of the hunk, including its line ending
	Header text.Span // the header line without its ending; empty if the hunk has none

	Numbered bool   // the header has line numbers; otherwise Old and New are meaningless
	Old, New Range  // the numbers in the header
	Section  string // the text after the second @@, without white space around it

	Lines []Line
	// Tail is the index of the first line that git ignores, because the hunk is already complete according to the
	// counts of the header. It is 0 if git ignores no line.
	Tail int
	// Loose is the number of empty lines directly below the hunk that may also belong to its
	// context.
	Loose int
}

// A Range is one side of a hunk's header: the first line, from 1, and the number of lines.
type Range struct{ Start, Count int }

// A Line is one line of a hunk's body.
type Line struct {
	Op   byte      // ' ', '-' or '+'
	Text string    // the line of the file, with "\n" unless a marker says that the line has no newline
	At   text.Span // the line in the block, with Op and without its line ending
	Bare bool      // the line is written without ` `, `+` or `-`, and is read as context
}

type side struct {
	lines []string
	text  string // all lines of the side, joined
}

func newSide(lines []string) side { return side{lines, strings.Join(lines, "")} }

func (s side) count() int { return len(s.lines) }

func sides(lines []Line) (before, after side) {
	old, now := make([]string, 0, len(lines)), make([]string, 0, len(lines))
	for _, l := range lines {
		if l.Op != '+' {
			old = append(old, l.Text)
		}
		if l.Op != '-' {
			now = append(now, l.Text)
		}
	}
	return newSide(old), newSide(now)
}

// edges counts the context lines at both ends of a hunk. If the hunk changes nothing, all lines count as leading.
func edges(lines []Line) (leading, trailing int) {
	for leading < len(lines) && lines[leading].Op == ' ' {
		leading++
	}
	for trailing < len(lines)-leading && lines[len(lines)-1-trailing].Op == ' ' {
		trailing++
	}
	return leading, trailing
}

// torn returns the index of the first line that has no newline although another line of its side follows. It returns -1
// if there is none.
func torn(lines []Line) int {
	lacks := map[byte]int{}
	for i, l := range lines {
		for _, op := range ops(l.Op) {
			if at, ok := lacks[op]; ok {
				return at
			}
			if !strings.HasSuffix(l.Text, "\n") {
				lacks[op] = i
			}
		}
	}
	return -1
}

// mended returns the lines without wrong markers for missing newlines. A marker is wrong if another
// line of the same side follows.
func mended(lines []Line) []Line {
	lines = slices.Clone(lines)
	follows := map[byte]bool{}
	for i := len(lines) - 1; i >= 0; i-- {
		for _, op := range ops(lines[i].Op) {
			if follows[op] && !strings.HasSuffix(lines[i].Text, "\n") {
				lines[i].Text += "\n"
			}
			follows[op] = true
		}
	}
	return lines
}

// ops returns the sides to which a line that begins with op belongs: '-', '+' or both.
func ops(op byte) []byte {
	if op == ' ' {
		return []byte{'-', '+'}
	}
	return []byte{op}
}

// withoutContext reports whether hunks were made without context (-U0). Such hunks are placed by their
// line numbers.
func withoutContext(hunks []Hunk) bool {
	for _, h := range hunks {
		if !h.Numbered || slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op == ' ' }) {
			return false
		}
	}
	return true
}
