package convert

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A hunk is some consecutive lines of the text before the change, and the lines that replace them
// in the text after the change.
type hunk = diff.Run

// A script is the list of hunks that turn one text into another, from top to bottom. Hunks are made
// one after the other: after each hunk, the text consists of new lines down to this hunk, and of
// old lines below it. The lines that the next hunk removes begin at its NewStart.
type script struct {
	old, new side
	hunks    []hunk
	meter    *meter.Meter // the meter that pays for the search for the texts of hunks
}

// eachChanged is the cost, in units, of each byte of a text that is cut into lines and compared.
const eachChanged = 8

// newScript returns the hunks between two texts. If the meter cannot pay for this, it returns none.
func newScript(before, after string, m *meter.Meter) script {
	if !m.Pay(eachChanged * (len(before) + len(after))) {
		return script{meter: m}
	}
	old, new := newSide(before), newSide(after)
	return script{old: old, new: new, hunks: diff.RunsOf(old.lines, new.lines), meter: m}
}

// linesAt returns the lines [from, to) of the text to which a hunk is applied, without their
// endings. In this text, all hunks above have been applied to the old text.
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

// A side is the old or the new text, cut into lines.
type side struct {
	text.Rows
	lines  []string // the lines with their endings
	bodies []string // the lines without their endings
}

func newSide(s string) side {
	lines := text.SplitLines(s)
	return side{text.RowsOf(s), lines, text.Bodies(lines)}
}

// A window is the part of the text around a hunk, in whole lines. It is large enough to determine
// the effect of a replacement at the hunk. The whole text is too long to be copied and searched for
// each attempt.
type window struct {
	script
	hunk hunk
	from int // the start of the window in the new text, above the hunk
	to   int // the end of the window in the old text, below the hunk
}

// whole returns a window that is the whole text.
func (s script) whole(h hunk) window { return window{s, h, 0, len(s.old.Body)} }

// window returns a window with the given numbers of lines above and below a hunk. On both sides, it
// is extended by at least reach bytes to whole lines.
func (s script) window(h hunk, above, below, reach int) window {
	from, to := s.new.Starts[h.NewStart-above]-reach, s.old.Starts[h.OldEnd+below]+reach
	return window{s, h, s.new.lineAt(from), s.old.lineBehind(to)}
}

// before returns the text of the window without the change of the hunk.
func (w window) before() string {
	return w.new.Body[w.from:w.new.Starts[w.hunk.NewStart]] + w.old.Body[w.old.Starts[w.hunk.OldStart]:w.to]
}

// after returns the text of the window with the change of the hunk.
func (w window) after() string {
	return w.new.Body[w.from:w.new.Starts[w.hunk.NewEnd]] + w.old.Body[w.old.Starts[w.hunk.OldEnd]:w.to]
}

// misses reports whether the text `find` occurs at a place that begins before the window or ends
// after it. The window is so large that such a place is either above or below the hunk.
func (w window) misses(find string) bool {
	above := w.new.Body[:min(w.from+len(find)-1, w.new.Starts[w.hunk.NewStart])]
	below := w.old.Body[max(w.to-len(find)+1, w.old.Starts[w.hunk.OldEnd]):]
	return strings.Contains(above, find) || strings.Contains(below, find)
}

// lineAt returns the start of the line that contains an offset. lineBehind returns the start of
// the first line that is not above the offset.
func (t side) lineAt(at int) int {
	i, begins := slices.BinarySearch(t.Starts, at)
	if !begins {
		i = max(i-1, 0)
	}
	return t.Starts[i]
}

func (t side) lineBehind(at int) int {
	i, _ := slices.BinarySearch(t.Starts, at)
	return t.Starts[min(i, t.Count())]
}
