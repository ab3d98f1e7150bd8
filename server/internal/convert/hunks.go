package convert

import (
	"slices"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A hunk is a run of lines that is replaced by another one. Its numbers are indexes of
// lines, from 0.
type hunk struct {
	old, oldEnd int // the removed lines, in the text before
	new, newEnd int // the added lines, in the text after
}

// A script holds the hunks that turn one text into another, from top to bottom. After the first n
// hunks are made, the text consists of new lines up to that place and of old lines below it. The
// lines that the next hunk removes begin at its `new`.
type script struct {
	old, new side
	hunks    []hunk
	meter    *meter.Meter // pays for finding texts for the hunks
}

// eachChanged is the cost of a byte of a text that is cut into lines and compared, in units.
const eachChanged = 8

// newScript returns the hunks between two texts, or none if m cannot pay for that.
func newScript(before, after string, m *meter.Meter) script {
	if !m.Pay(eachChanged * (len(before) + len(after))) {
		return script{meter: m}
	}
	s := script{old: newSide(before), new: newSide(after), meter: m}
	for _, h := range linediff.Hunks(s.old.lines, s.new.lines, diff.Bounded(s.old.lines, s.new.lines, linediff.Context(0))...) {
		s.hunks = append(s.hunks, hunk{h.PosX, h.EndX, h.PosY, h.EndY})
	}
	return s
}

// linesAt returns the lines [from, to) of the text to which a hunk is applied, without their endings. In
// that text, the hunks above are made.
func (s script) linesAt(h hunk, from, to int) []string {
	n := h.new
	if to <= n {
		return s.new.bodies[from:to]
	}
	shift := h.old - n
	if from >= n {
		return s.old.bodies[from+shift : to+shift]
	}
	return slices.Concat(s.new.bodies[from:n], s.old.bodies[h.old:to+shift])
}

// A side is one of the two texts, cut into lines.
type side struct {
	text   string
	lines  []string // the lines with their endings
	bodies []string // the lines without their endings
	starts []int    // the offset of each line
}

func newSide(s string) side {
	t := side{text: s, lines: text.SplitLines(s)}
	t.bodies, t.starts = bodies(t.lines), make([]int, len(t.lines))
	at := 0
	for i, line := range t.lines {
		t.starts[i] = at
		at += len(line)
	}
	return t
}

// offset returns the offset of a line. For the line after the last one, it returns the end
// of the text.
func (t side) offset(line int) int {
	if line == len(t.lines) {
		return len(t.text)
	}
	return t.starts[line]
}

func bodies(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = text.TrimEOL(line)
	}
	return out
}
