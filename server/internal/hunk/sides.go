package hunk

import (
	"slices"
	"strings"
)

// A side is one of the two texts of a hunk.
type side struct {
	lines []string
	text  string // the lines joined
}

func newSide(lines []string) side { return side{lines, strings.Join(lines, "")} }

func (s side) count() int { return len(s.lines) }

// sides are what lines have before and after them.
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

// edges are how many lines of context lines begin and end with. Lines that change
// nothing are all leading.
func edges(lines []Line) (leading, trailing int) {
	for leading < len(lines) && lines[leading].Op == ' ' {
		leading++
	}
	for trailing < len(lines)-leading && lines[len(lines)-1-trailing].Op == ' ' {
		trailing++
	}
	return leading, trailing
}

// torn is the first line that lacks its ending although a line of the same side
// follows; -1 for none.
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

// mended is lines with no marker but those that no line of the same side follows.
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

// ops names the sides that a line is in by the ops that only they have.
func ops(op byte) []byte {
	if op == ' ' {
		return []byte{'-', '+'}
	}
	return []byte{op}
}

// withoutContext reports whether hunks were made to have none (-U0): all of them
// are then placed by their numbers.
func withoutContext(hunks []Hunk) bool {
	for _, h := range hunks {
		if !h.Numbered || slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op == ' ' }) {
			return false
		}
	}
	return true
}
