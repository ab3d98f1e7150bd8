package convert

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A hunk is a run of lines of the old text, with the lines that replace them in the new text.
type hunk = diff.Run

// A script is the list of hunks that turn one text into another, from top to bottom. Hunks are applied one after the
// other. Above the last applied hunk, the text therefore has new lines, and below it old lines. The lines that the next
// hunk removes begin at its NewStart.
type script struct {
	old, new side
	hunks    []hunk
	meter    *meter.Meter // is charged for the searches
}

// eachChanged is the cost of cutting a text into lines and comparing it, in units of the meter for each byte.
const eachChanged = 8

// newScript returns the hunks between two texts. It returns no hunks if the budget of the meter does not suffice.
func newScript(before, after string, m *meter.Meter) script {
	if !m.Pay(eachChanged * (len(before) + len(after))) {
		return script{meter: m}
	}
	old, new := newSide(before), newSide(after)
	return script{old: old, new: new, hunks: diff.RunsOf(old.lines, new.lines), meter: m}
}

// linesAt returns the lines [from, to) of the text to which a hunk is applied, without their endings. All hunks above
// have already been applied to this text.
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

type side struct {
	lines  []string // the lines with their endings
	bodies []string // the lines without their endings
}

func newSide(s string) side {
	lines := text.SplitLines(s)
	return side{lines, text.Bodies(lines)}
}
