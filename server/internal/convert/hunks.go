package convert

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A hunk is a run of removed lines of the text before, and of the lines that the text after has in
// their place.
type hunk = diff.Run

// A script holds the hunks that turn one text into another, from top to bottom. After the first n
// hunks are made, the text consists of new lines up to that place and of old lines below it. The
// lines that the next hunk removes begin at its NewStart.
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
	old, new := newSide(before), newSide(after)
	return script{old: old, new: new, hunks: diff.RunsOf(old.lines, new.lines), meter: m}
}

// linesAt returns the lines [from, to) of the text to which a hunk is applied, without their endings. In
// that text, the hunks above are made.
func (s script) linesAt(h hunk, from, to int) []string {
	n := h.NewStart
	if to <= n {
		return s.new.bodies[from:to]
	}
	shift := h.OldStart - n
	if from >= n {
		return s.old.bodies[from+shift : to+shift]
	}
	return slices.Concat(s.new.bodies[from:n], s.old.bodies[h.OldStart:to+shift])
}

// A side is one of the two texts, cut into lines.
type side struct {
	text.Rows
	lines  []string // the lines with their endings
	bodies []string // the lines without their endings
}

func newSide(s string) side {
	lines := text.SplitLines(s)
	return side{text.RowsOf(s), lines, text.Bodies(lines)}
}
