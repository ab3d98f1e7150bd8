// Package hunk places the hunks of a unified diff in a text. Each hunk gets the place that git would choose, or no
// place. If git refuses a hunk whose place is clear, a fix rewrites the hunk so that git accepts it.
package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Hunk is one hunk of a patch. All spans are bytes of the block's body.
type Hunk struct {
	At     text.Span // from the header to the last line, including its line ending
	Header text.Span // the header without its line ending; empty if there is none

	Numbered bool   // whether the header has line numbers
	Old, New Range  // the numbers in the header, if Numbered
	Section  string // the text after the second @@, without white space around it

	Lines []Line
	// Tail is the index of the first line that git ignores, because the hunk is complete by the counts in its
	// header. It is 0 if git ignores no line.
	Tail int
	// Loose is the number of empty lines directly below the hunk that may belong to its context.
	Loose int
}

// A Range is the first line, from 1, and the number of lines of one side. If there are none, Start is the line
// above.
type Range struct{ Start, Count int }

type Line struct {
	Op   byte
	Text string    // the line with its ending; it has none if a marker says so
	At   text.Span // the line in the block, with Op and without its ending
	Bare bool      // the line has no Op in the block, and is read as context
}

type side struct {
	lines []string
	text  string // the joined lines
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

// edges counts the context lines at both ends of a hunk. In a hunk without changes, all lines count as leading.
func edges(lines []Line) (leading, trailing int) {
	for leading < len(lines) && lines[leading].Op == ' ' {
		leading++
	}
	for trailing < len(lines)-leading && lines[len(lines)-1-trailing].Op == ' ' {
		trailing++
	}
	return leading, trailing
}

// torn returns the index of the first line that has no newline although another line of its side follows, or -1.
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

// mended removes wrong markers for missing newlines. A marker is wrong if another line of the same side follows.
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

// ops returns '-', '+' or both: the sides to which a line belongs.
func ops(op byte) []byte {
	if op == ' ' {
		return []byte{'-', '+'}
	}
	return []byte{op}
}

// withoutContext reports whether hunks were made with -U0, so that git places them by their line numbers.
func withoutContext(hunks []Hunk) bool {
	return !slices.ContainsFunc(hunks, func(h Hunk) bool {
		return !h.Numbered || slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op == ' ' })
	})
}
