package convert

import (
	"slices"
	"strings"
)

// An apWriter finds the modifications that turn one text into another. Patchers search from top to bottom, and only
// below the last change (rule A35). Hunks that are so close together that their places are not unique are joined.
type apWriter struct {
	script
	style     apStyle
	oldSolids solids
	newSolids solids
	// the ids of the nonblank lines; lines that differ only in the white space around them have the same id (rule A31)
	ids  lineIDs
	done []apDone
}

type solids []int

func solid(lines []string) (rows solids, bodies []string) {
	for i, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			rows, bodies = append(rows, i), append(bodies, line)
		}
	}
	return rows, bodies
}

func (s solids) above(line int) int {
	i, _ := slices.BinarySearch(s, line)
	return i
}

// An apDone is a hunk with its modification.
type apDone struct {
	hunk hunk
	apMod
}

func newAPWriter(s script, style apStyle) *apWriter {
	w := &apWriter{script: s, style: style}
	var old, new []string
	w.oldSolids, old = solid(w.old.bodies)
	w.newSolids, new = solid(w.new.bodies)
	w.ids = newLineIDs(new, old)
	return w
}

// write finds a modification for every hunk. If a hunk has none, `why` gives the reason.
func (w *apWriter) write() (why string) {
	for _, h := range w.hunks {
		for {
			p := w.placeOf(h)
			if m, ok := p.modification(); ok {
				w.done = append(w.done, apDone{h, m})
				break
			}
			if len(w.done) == 0 || w.meter.Spent() {
				return p.why
			}
			last := w.done[len(w.done)-1]
			w.done = w.done[:len(w.done)-1]
			h.OldStart, h.NewStart = last.hunk.OldStart, last.hunk.NewStart
		}
	}
	return ""
}

// An apPlace is a hunk together with the text that it changes.
type apPlace struct {
	*apWriter
	hunk     hunk
	from, to int      // the range of the removed lines
	fresh    []string // the lines that replace the removed ones
	cursor   int      // patchers no longer search above this line

	marks hunkIDs // the ids of the nonblank lines
	why   string  // the latest reason why the hunk could not be written
}

func (w *apWriter) placeOf(h hunk) *apPlace {
	p := &apPlace{apWriter: w, hunk: h, from: h.NewStart, to: h.NewStart + h.OldEnd - h.OldStart, fresh: w.new.bodies[h.NewStart:h.NewEnd]}
	if n := len(w.done); n > 0 {
		p.cursor = w.done[n-1].cursor
	}
	p.marks = hunkIDs{w.ids, w.newSolids.above(h.NewStart), w.oldSolids.above(h.OldStart)}
	p.why = "the lines around the change do not show its place"
	return p
}

func (p *apPlace) lines(from, to int) []string { return p.linesAt(p.hunk, from, to) }

// solidAbove returns the number of nonblank lines above a line of the text.
func (p *apPlace) solidAbove(line int) int {
	if line <= p.hunk.NewStart {
		return p.newSolids.above(line)
	}
	return p.marks.newEnd + p.oldSolids.above(line-p.hunk.NewStart+p.hunk.OldStart) - p.marks.oldAt
}

// row returns the line number of a nonblank line, given its index among the nonblank lines.
func (p *apPlace) row(solid int) int {
	if solid < p.marks.newEnd {
		return p.newSolids[solid]
	}
	return p.oldSolids[solid-p.marks.newEnd+p.marks.oldAt] - p.hunk.OldStart + p.hunk.NewStart
}

// mostAround limits the number of lines above or below a change that identify its place. A patch with more lines would
// be hard to read, and slow to apply.
const mostAround = 200

// above returns how many nonblank lines a patcher can search directly above the nonblank line with the given index. The
// method below returns how many it can search starting at that line.
func (p *apPlace) above(solid int) int { return min(solid-p.solidAbove(p.cursor), mostAround) }
func (p *apPlace) below(solid int) int { return min(p.marks.len()-solid, mostAround) }

func (p *apPlace) modification() (apMod, bool) {
	if p.from < p.cursor {
		return apMod{}, false
	}
	if p.from == p.to && p.style.inserts {
		if f, ok := p.insertion(); ok {
			return f, true
		}
	}
	if len(p.fresh) == 0 && p.style.extra == 0 {
		if f, ok := p.deletion(); ok {
			return f, true
		}
	}
	return p.replacement()
}

// insertion returns the shorter of two modifications: one inserts after the line above, the other before the line
// below.
func (p *apPlace) insertion() (apMod, bool) {
	if why := inexpressible(p.fresh); why != "" {
		p.why = why
		return apMod{}, false
	}
	after, ok1 := p.insertAfter()
	before, ok2 := p.insertBefore()
	if ok1 && (!ok2 || len(after.snippet) <= len(before.snippet)) {
		return after, true
	}
	return before, ok2
}

func (p *apPlace) insertAfter() (apMod, bool) {
	i := p.solidAbove(p.from)
	if i == 0 || p.row(i-1) != p.from-1 {
		return apMod{}, false
	}
	above, _, ok := unique(p.meter, p.marks, i, i, p.above(i), 0)
	if !ok {
		return apMod{}, false
	}
	m := apMod{action: "INSERT_AFTER", snippet: p.lines(p.row(i-above), p.from), content: p.fresh, cursor: p.from + len(p.fresh)}
	return m, m.sound()
}

func (p *apPlace) insertBefore() (apMod, bool) {
	i := p.solidAbove(p.to)
	if i == p.marks.len() || p.row(i) != p.to {
		return apMod{}, false
	}
	_, below, ok := unique(p.meter, p.marks, i, i, 0, p.below(i))
	if !ok {
		return apMod{}, false
	}
	m := apMod{action: "INSERT_BEFORE", snippet: p.lines(p.to, p.row(i+below-1)+1), content: p.fresh, cursor: p.from + len(p.fresh)}
	return m, m.sound()
}

// deletion returns a modification that deletes lines, and states how many blank lines around them are deleted.
func (p *apPlace) deletion() (apMod, bool) {
	from, to := p.solidAbove(p.from), p.solidAbove(p.to)
	if from == to {
		return apMod{}, false
	}
	first, last := p.row(from), p.row(to-1)+1
	return p.anchored(apMod{action: "DELETE", snippet: p.lines(first, last), leading: first - p.from, trailing: p.to - last, cursor: p.from}, from, to)
}

// sound reports whether a modification may be used. No locator may be ^ or $ alone, which mean the ends of the file.
func (m apMod) sound() bool { return !isBoundary(m.snippet) && !isBoundary(m.anchor) }

func isBoundary(lines []string) bool {
	return len(lines) == 1 && (strings.TrimSpace(lines[0]) == "^" || strings.TrimSpace(lines[0]) == "$")
}
