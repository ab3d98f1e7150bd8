package convert

import (
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A hunk is a run of lines of the old text, with the lines that replace them in the new text.
type hunk = diff.Run

// A script is the hunks that turn one text into another, from top to bottom.
type script struct {
	old, new side
	hunks    []hunk
	meter    *meter.Meter // is charged for the written lines
}

// eachChanged is the cost of cutting a text into lines and comparing it, in units of the meter for each byte.
const eachChanged = 8

// newScript returns the hunks between two texts, or none if the budget of the meter does not suffice.
func newScript(before, after string, m *meter.Meter) script {
	if !m.Pay(eachChanged * (len(before) + len(after))) {
		return script{meter: m}
	}
	old, new := newSide(before), newSide(after)
	return script{old: old, new: new, hunks: diff.RunsOf(old.lines, new.lines), meter: m}
}

// eachLine is the cost of writing a line, in units of the meter.
const eachLine = 10

// with returns the hunks with at least `around` more lines above and below each, if there are so many. Hunks that
// would touch become one. Only lines for which `counts` returns true count. The first and the last line of a hunk
// must count in both texts, because a patcher does not see other lines.
func (s script) with(around int, counts func(line string) bool) []hunk {
	var all []hunk
	for i, h := range s.hunks {
		top, bottom := 0, len(s.old.bodies)
		if i > 0 {
			top = s.hunks[i-1].OldEnd
		}
		if i+1 < len(s.hunks) {
			bottom = s.hunks[i+1].OldStart
		}
		for n := around; h.OldStart > top && (n > 0 || !s.both(h, func(lines []string) bool { return counts(lines[0]) })); {
			h.OldStart, h.NewStart = h.OldStart-1, h.NewStart-1
			if counts(s.old.bodies[h.OldStart]) {
				n--
			}
		}
		for n := around; h.OldEnd < bottom && (n > 0 || !s.both(h, func(lines []string) bool { return counts(lines[len(lines)-1]) })); {
			if counts(s.old.bodies[h.OldEnd]) {
				n--
			}
			h.OldEnd, h.NewEnd = h.OldEnd+1, h.NewEnd+1
		}
		s.meter.Pay(eachLine * (h.OldEnd - h.OldStart + h.NewEnd - h.NewStart))
		if last := len(all) - 1; last >= 0 && h.OldStart <= all[last].OldEnd {
			all[last].OldEnd, all[last].NewEnd = h.OldEnd, h.NewEnd
		} else {
			all = append(all, h)
		}
	}
	return all
}

// both reports whether a hunk has old and new lines, and `fulfill` returns true for both.
func (s script) both(h hunk, fulfill func(lines []string) bool) bool {
	old, new := s.old.bodies[h.OldStart:h.OldEnd], s.new.bodies[h.NewStart:h.NewEnd]
	return len(old) > 0 && len(new) > 0 && fulfill(old) && fulfill(new)
}

type side struct {
	lines  []string // with their endings
	bodies []string // without their endings
}

func newSide(s string) side {
	lines := text.SplitLines(s)
	return side{lines, text.Bodies(lines)}
}
