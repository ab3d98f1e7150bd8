// Package hunk places the hunks of a unified diff in a text: at the place that git would choose,
// or not at all. If git refuses a hunk whose place is clear, a fix rewrites the hunk so that git
// accepts it.
package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Hunk is one hunk as the patch has it. All spans are byte ranges of the block's body.
type Hunk struct {
	At     text.Span // from the header to the last line, including its ending
	Header text.Span // the header line without its ending; empty if the hunk has none

	Numbered bool   // the header has line numbers; otherwise Old and New are meaningless
	Old, New Range  // the numbers in the header
	Section  string // the text after the second @@, without white space around it

	Lines []Line
	// Tail is the index of the first of Lines that git ignores, because the hunk is already complete
	// according to the counts of the header. It is 0 if git ignores none.
	Tail int
	// Loose counts the empty lines directly below the hunk that may belong to its context, too.
	Loose int
}

// A Range is one side of a hunk's header: the first line, from 1, and the number of lines.
type Range struct{ Start, Count int }

// A Line is one line of a hunk's body.
type Line struct {
	Op   byte      // ' ', '-' or '+'
	Text string    // the line of the file, with "\n" unless a marker says that it has no newline
	At   text.Span // the span in the block of the line with its Op, without its ending
	Bare bool      // the line is written without a sign, and counts as context
}

// A side is one of the two texts of a hunk.
type side struct {
	lines []string
	text  string // all lines of the side, joined
}

func newSide(lines []string) side { return side{lines, strings.Join(lines, "")} }

func (s side) count() int { return len(s.lines) }

// sides returns the old and the new text of the lines.
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

// edges counts the context lines at both ends of a hunk. If the hunk changes nothing, all lines are
// leading ones.
func edges(lines []Line) (leading, trailing int) {
	for leading < len(lines) && lines[leading].Op == ' ' {
		leading++
	}
	for trailing < len(lines)-leading && lines[len(lines)-1-trailing].Op == ' ' {
		trailing++
	}
	return leading, trailing
}

// torn returns the index of the first line that has no newline although another line of the same
// side follows, or -1.
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

// mended returns lines without the markers for missing newlines that a following line of the same
// side contradicts.
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

// ops returns the sides to which a line with an op belongs: '-', '+' or both.
func ops(op byte) []byte {
	if op == ' ' {
		return []byte{'-', '+'}
	}
	return []byte{op}
}

// withoutContext reports whether hunks were made without context (-U0). If so, all of them are
// placed by their line numbers.
func withoutContext(hunks []Hunk) bool {
	for _, h := range hunks {
		if !h.Numbered || slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op == ' ' }) {
			return false
		}
	}
	return true
}
