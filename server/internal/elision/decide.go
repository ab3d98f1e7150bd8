package elision

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func (f *search) explain(why Reason) Reason {
	s := f.segments[why.Part]
	why.Line, why.Text = s.from, s.lines[0]
	return why
}

// decide chooses the reading after the search found the possible places of all segments. It returns the proved
// reading if that needs no question. Otherwise, it proposes the most likely reading.
func (f *search) decide(reasons []Reason) Reading {
	best := f.cheapest((*segment).cost)
	proved := f.prove(best)
	if proved.ok {
		best.at = proved.at
		if out := f.reading(best, reasons); out.State != Asks {
			return out
		}
	} else {
		reasons = append(reasons, f.explain(Reason{Kind: Unclear, Part: proved.unclear}))
	}
	best = f.cheapest(f.likely)
	if f.drops(best) {
		loose, more := f.loosened(best)
		best, reasons = loose, append(reasons, more...)
	}
	if best.tied >= 0 && !proved.ok {
		out := refused(f.explain(Reason{Kind: Tied, Part: best.tied}))
		out.Parts = f.parts(best)
		return out
	}
	if i := f.differs(best.at, proved); i >= 0 {
		reasons = append(reasons, f.explain(Reason{Kind: Unclear, Part: i}))
	}
	return f.reading(best, reasons)
}

// drops reports whether a reading removes lines without a similar line in their place, or has new lines next to an
// elision.
func (f *search) drops(c choice) bool {
	for i, s := range f.segments {
		if s.lead+s.trail > 0 || slices.ContainsFunc(f.hunks(s, c.at[i]), func(h Hunk) bool { return f.unlike(h, isLike) > 0 }) {
			return true
		}
	}
	return false
}

// loosened returns the most likely reading in which more lines at the edges of parts are new, and a reason for each
// of these edges. It returns `best` if there is no such reading.
func (f *search) loosened(best choice) (choice, []Reason) {
	places, work := text.Each(f.segments, func(s *segment) []site { return s.places }), f.work
	f.loose, f.work = true, min(work, mostLoose)
	most, found := f.work, f.find() == nil
	if found {
		loose := f.cheapest(f.likely)
		if found = f.work >= 0 && loose.tied < 0; found {
			best = loose
		}
	}
	f.work = work - (most - max(f.work, 0))
	if f.loose = found; !found {
		for i, s := range f.segments {
			s.places = places[i]
		}
		return best, nil
	}
	var reasons []Reason
	for i, s := range f.segments {
		at := best.at[i]
		if s.above && s.lead == 0 && f.b.class(at.p) != s.class[0] {
			reasons = append(reasons, Reason{Kind: NewEdge, Part: i, Line: s.from, Text: s.lines[0]})
		}
		if last := len(s.lines) - 1; s.below && s.trail == 0 && f.b.class(at.q-1) != s.class[last] {
			reasons = append(reasons, Reason{Kind: NewEdge, Part: i, Line: s.to - 1, Text: s.lines[last]})
		}
	}
	return best, reasons
}

// mostLoose limits the work of [search.loosened] in cells.
const mostLoose = 4_000_000

// differs returns the index of the first segment whose effect differs from its effect at the proved place. It returns a
// negative number if there is none.
func (f *search) differs(at []site, proved proof) int {
	if !proved.ok {
		return -1
	}
	for i := range at {
		if at[i] != proved.at[i] && f.segments[i].cost(at[i])+f.segments[i].cost(proved.at[i]) > 0 {
			return i
		}
	}
	return -1
}

// reading returns the reading that puts the segments at the chosen places. The person must be asked about this reading
// if `reasons` is not empty, or if the places give a reason.
func (f *search) reading(best choice, reasons []Reason) Reading {
	best.at = slices.Clone(best.at)
	for i, s := range f.segments {
		best.at[i] = f.takeSimilar(s, best.at[i], f.windowBetween(best.at, i))
	}
	out := Reading{Parts: f.parts(best), State: Certain}
	reasons = append(slices.Clone(reasons), f.keepForgotten(out.Parts)...)
	if !slices.ContainsFunc(out.Parts, func(p Part) bool { return len(p.Hunks) > 0 }) {
		out.State, out.Reasons = Refused, []Reason{f.explain(Reason{Kind: NoChange})}
		return out
	}
	if out.Reasons = slices.Concat(reasons, f.empties(best.at), f.doubts(best, out.Parts)); len(out.Reasons) > 0 {
		out.State = Asks
	}
	return out
}

// keepForgotten drops hunks that only remove lines, if they remove so many that an elision was probably forgotten. If
// the text changes nothing else, it is meant to remove the lines, so no hunk is dropped.
func (f *search) keepForgotten(parts []Part) (out []Reason) {
	forgotten := func(h Hunk) bool {
		return int(f.b.filled[h.End]-f.b.filled[h.At]) > mostMore && !f.isWhole(h) && !slices.ContainsFunc(h.Lines, func(line string) bool { return line != "" })
	}
	changes := func(h Hunk) bool { return !forgotten(h) && f.saysMore(h) }
	if !slices.ContainsFunc(parts, func(p Part) bool { return slices.ContainsFunc(p.Hunks, changes) }) {
		return nil
	}
	for i, p := range parts {
		for _, h := range p.Hunks {
			if forgotten(h) {
				out = append(out, Reason{Kind: Forgotten, Part: i, Line: f.segments[i].from, Other: h.At, To: h.End})
			}
		}
		parts[i].Hunks = slices.DeleteFunc(p.Hunks, forgotten)
	}
	return out
}

// isWhole reports whether the removed lines of a hunk may be whole blocks: their brackets are balanced, and
// no line is indented less than the first.
func (f *search) isWhole(h Hunk) bool {
	first := f.b.next(h.At, +1)
	return f.b.open[h.At] == f.b.open[h.End] && slices.Min(f.b.indent[h.At:h.End]) >= f.b.indent[first]
}

// empties returns a reason for each elision that leaves out no line, or only blank lines.
func (f *search) empties(at []site) (out []Reason) {
	end := int32(0)
	for i, s := range f.segments {
		if s.above && !s.free && f.b.filled[at[i].p] == end {
			out = append(out, Reason{Kind: LeavesNothing, Part: i, Line: s.from})
		}
		if end = f.b.filled[at[i].q]; s.below && !s.free && end == f.b.filled[len(f.b.lines)] {
			out = append(out, Reason{Kind: LeavesNothing, Part: i, Line: s.to - 1})
		}
	}
	return out
}

// windowBetween returns the window of a segment between the places of the segments above and below it.
func (f *search) windowBetween(at []site, i int) window {
	w := window{0, f.b.filled[len(f.b.lines)]}
	if i > 0 {
		w.low = f.above(at[i-1].q)
	} else if f.segments[i].free {
		w.low--
	}
	if i+1 < len(at) {
		w.high = f.below(at[i+1].p)
	} else if f.segments[i].free {
		w.high++
	}
	return w
}
