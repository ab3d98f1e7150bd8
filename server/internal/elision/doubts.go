package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// The person is asked about a reading that deletes more lines than these limits allow.
const (
	mostMore = 4 // a hunk is doubted if it deletes this many more lines than it inserts
	mostGone = 8 // the most deleted lines without similar lines in their places
)

// mostCost is the highest cost at which another place makes the chosen place doubtful.
const mostCost = 80

// doubts returns the reasons to ask the person about a reading. It is called when each segment has its place.
func (f *search) doubts(c choice, parts []Part) []Reason {
	var out []Reason
	gone := 0
	for i := range parts {
		reasons, unlike := f.doubtsOf(c, parts, i)
		out, gone = append(out, reasons...), gone+unlike
	}
	if why, ok := f.swapped(parts); ok {
		out = append(out, why)
	}
	if gone > mostGone {
		out = append(out, Reason{Kind: MuchGone, Other: gone})
	}
	return out
}

// doubtsOf returns the reasons to ask about one part, and the number of lines that the part deletes without a similar
// line in their place.
func (f *search) doubtsOf(c choice, parts []Part, i int) (out []Reason, unlike int) {
	p, s, at := parts[i], f.segments[i], c.at[i]
	add := func(kind Kind, other int) {
		out = append(out, Reason{Kind: kind, Part: i, Line: s.from, Text: s.lines[0], Other: other})
	}
	if !slices.ContainsFunc(p.Hunks, f.saysMore) {
		if other, ok := f.otherPlace(s, at, s.mayChange); ok {
			add(MayChange, int(other.p))
		}
		return out, 0 // the part changes only blank lines
	}
	for _, h := range p.Hunks {
		unlike += f.unlike(h, isLike)
	}
	if !f.keepsSaying(p) && unlike > 0 {
		add(SaysLittle, 0)
	}
	if line, at, ok := f.longerRun(s, p, linesAround(parts, i, len(f.b.lines))); ok {
		out = append(out, Reason{Kind: LongerRun, Part: i, Line: line, Text: s.lines[line-s.from], Other: at})
	}
	// a text without new lines may be meant to delete lines
	if s.inserted(at) > 0 && slices.Min(s.class) >= 0 {
		if other, ok := f.otherPlace(s, at, s.mayRemove); ok {
			add(MayRemove, int(other.p))
		}
	}
	if line, found, ok := f.moved(p); ok {
		out = append(out, Reason{Kind: Moved, Part: i, Line: s.from, Text: line, Other: found})
	}
	// if each deleted line has a similar line in its place, the place is clear
	reworded := s.deleted(at) > 0 && unlike == 0
	if line, ok := f.replacesMore(s, at, p); ok && !reworded {
		add(MayReplace, line)
	}
	if line, ok := f.replacesBeyond(s, at); ok {
		add(LikeBeyond, line)
	}
	if h := p.Hunks[0]; !s.above && s.class[0] < 0 && SortOf(s.lines[0]) > Text && h.End > h.At {
		add(CommentEdge, 0)
	}
	h, last := p.Hunks[len(p.Hunks)-1], len(s.lines)-1
	if !s.below && s.class[last] < 0 && SortOf(s.lines[last]) > Text && h.End > h.At {
		out = append(out, Reason{Kind: CommentEdge, Part: i, Line: s.to - 1, Text: s.lines[last]})
	}
	for _, h := range p.Hunks {
		if kind, ok := f.loss(h); ok {
			out = append(out, Reason{Kind: kind, Part: i, Line: s.from, Text: s.lines[0], Other: h.At, To: h.End})
		}
	}
	return out, unlike
}

// swapped finds two parts that may be in another order than in the file: each part inserts a line that the other part
// deletes.
func (f *search) swapped(parts []Part) (why Reason, ok bool) {
	from := map[string]Reason{} // the deleted lines with enough letters, with the parts that delete them
	for i, p := range parts {
		for _, h := range p.Hunks {
			for at := h.At; at < h.End; at++ {
				if line := f.b.lines[at]; letters(line) >= fewestLetters && len(f.b.index.Places(f.b.index.ClassOf(at))) == 1 {
					from[line] = Reason{Kind: Moved, Part: i, Other: at}
				}
			}
		}
	}
	into := map[[2]int]Reason{} // into[{i, k}] is about a line that part i inserts and part k deletes
	for i, p := range parts {
		for _, h := range p.Hunks {
			for _, line := range h.Lines {
				gone, deleted := from[line]
				if !deleted || gone.Part == i {
					continue
				}
				s := f.segments[i]
				into[[2]int{i, gone.Part}] = Reason{Kind: Moved, Part: i, Line: s.from, Text: line, Other: gone.Other}
				if why, ok = into[[2]int{gone.Part, i}]; ok {
					return why, true
				}
			}
		}
	}
	return why, false
}

func (f *search) saysMore(h Hunk) bool {
	return f.b.filled[h.At] < f.b.filled[h.End] || slices.ContainsFunc(h.Lines, func(line string) bool { return line != "" })
}

// mayChange reports whether a segment that changes only blank lines at its place may be meant to change lines at
// `other`. A segment of more than three lines must not insert more lines there.
func (s *segment) mayChange(at, other site) bool {
	n, cost := text.Count(s.lines, func(line string) bool { return line != "" }), s.cost(other)
	return cost > 0 && (cost <= mostCost && (n <= 3 || s.inserted(other) <= s.inserted(at)) || n == 3)
}

// mayRemove reports whether s, which consists of lines of the file, would only delete lines if it were put at `other`.
func (s *segment) mayRemove(_, other site) bool {
	return s.inserted(other) == 0 && s.cost(other) <= mostCost
}

// otherPlace returns another place for which `meant` returns true, between the neighbors of the segment. It ignores
// brackets and indentation. If there are too many places, it returns an empty place and true.
func (f *search) otherPlace(s *segment, at site, meant func(at, other site) bool) (site, bool) {
	if !s.above && !s.below {
		return site{}, false
	}
	starts, ends := f.edges(s)
	other := &segment{lines: s.lines, class: s.class, above: s.above, below: s.below}
	if !f.pairs(other, f.room(s), starts, ends, func(site) bool { return true }) || !f.keep(other, f.b.index) {
		return site{}, true
	}
	for _, o := range other.places {
		if o.kept >= 0 && o != at && meant(at, o) {
			return o, true
		}
	}
	return site{}, false
}

// room returns the window that remains for a segment between all possible places of its neighbors.
func (f *search) room(s *segment) window {
	i := slices.Index(f.segments, s)
	w := window{-1, f.b.filled[len(f.b.lines)] + 1}
	if s.above && !s.free {
		w.low = -f.empty
	}
	if s.below && !s.free {
		w.high -= 1 - f.empty
	}
	if i > 0 {
		w.low = 1 << 30
		for _, at := range f.segments[i-1].places {
			w.low = min(w.low, f.above(at.q))
		}
	}
	if i+1 < len(f.segments) {
		w.high = -1
		for _, at := range f.segments[i+1].places {
			w.high = max(w.high, f.below(at.p))
		}
	}
	return w
}

func (f *search) keepsSaying(p Part) bool {
	line := p.At
	for _, h := range append(slices.Clone(p.Hunks), Hunk{At: p.End}) {
		for ; line < h.At; line++ {
			if letters(f.b.lines[line]) >= fewestLetters {
				return true
			}
		}
		line = h.End
	}
	return false
}

// linesAround returns the lines of the file that a part leaves out or replaces: from the end of the part above to the
// start of the part below.
func linesAround(parts []Part, i, lines int) (out [2]int) {
	out[1] = lines
	if i > 0 {
		out[0] = parts[i-1].End
	}
	if i+1 < len(parts) {
		out[1] = parts[i+1].At
	}
	return out
}

// moved finds a new line that the file also has elsewhere: it may have been moved, or an elision may be missing.
//   - The first or the last new line equals the next line of the file beyond the part.
//   - Two consecutive new lines are also consecutive in the file. Outside of the part, they must begin a run of
//     consecutive lines that has at least half of the hunk's new lines.
func (f *search) moved(p Part) (line string, found int, ok bool) {
	for i, h := range p.Hunks {
		filled := slices.DeleteFunc(slices.Clone(h.Lines), func(line string) bool { return line == "" })
		for j, line := range filled {
			switch {
			case j > 0 && j < len(filled)-1:
			case i == 0 && f.isLine(p.At-1, -1, line):
				return line, p.At - 1, true
			case i == len(p.Hunks)-1 && f.isLine(p.End, +1, line):
				return line, p.End, true
			}
		}
		for i := range max(0, len(filled)-1) {
			a, b := letters(filled[i]), letters(filled[i+1])
			if max(a, b) < fewestLetters {
				continue
			}
			for _, at := range f.inARow(filled[i], filled[i+1]) {
				if at >= p.At && at < p.End || min(a, b) >= fewestLetters && 2*f.common(at, filled[i:]) >= len(filled) {
					return filled[i], at, true
				}
			}
		}
	}
	return "", 0, false
}

// replacesMore reports whether a part may be meant to replace more lines, and returns the first of these lines. Another
// place must begin or end at the same line, keep as many lines, and delete a few lines more. At the edge that differs,
// one of these must be true:
//   - The part's place matches only one line with few letters.
//   - The part inserts a line that the file has between the two edges.
func (f *search) replacesMore(s *segment, at site, p Part) (line int, ok bool) {
	weak := func(r run) bool { return r.lines < 2 && r.letters < fewestLetters }
	f.work -= len(s.places)
	for _, o := range s.places {
		more := s.deleted(o) - s.deleted(at)
		if o.kept < at.kept || more <= 0 || more > mostGone {
			continue
		}
		switch {
		case o.p == at.p && (weak(f.endRun(s, at.q)) || f.inserts(p, at.q, o.q)):
			return int(at.q), true
		case o.q == at.q && (weak(f.startRun(s, at.p)) || f.inserts(p, o.p, at.p)):
			return int(o.p), true
		}
	}
	return 0, false
}

// inserts reports whether a part inserts any of the lines [from, to) of the file. It ignores lines with few letters.
func (f *search) inserts(p Part, from, to int32) bool {
	return slices.ContainsFunc(p.Hunks, func(h Hunk) bool {
		return slices.ContainsFunc(h.Lines, func(line string) bool {
			f.work -= int(to - from)
			return letters(line) >= fewestLetters && slices.Contains(f.b.lines[from:to], line)
		})
	})
}

// replacesBeyond reports whether a part that only inserts lines may be meant to replace lines beyond one of its
// edges, because its new lines resemble them. It returns the first similar line of the file.
func (f *search) replacesBeyond(s *segment, at site) (line int, ok bool) {
	keeps := int(f.b.filled[at.q] - f.b.filled[at.p])
	if s.deleted(at) > 0 {
		return 0, false
	}
	if s.below && f.startRun(s, at.p).lines == keeps {
		line, ok = f.likeBeyond(s, at.below)
	}
	if !ok && s.above && f.endRun(s, at.q).lines == keeps {
		line, ok = f.likeBeyond(s, at.above)
	}
	return line, ok
}

// longerRun returns an edge of a segment, as a line of the text, and a line of the file from which more consecutive
// lines match. The part leaves out or replaces that line, so an elision may be missing there.
func (f *search) longerRun(s *segment, p Part, beside [2]int) (line, found int, ok bool) {
	starts, ends := f.edges(s)
	if s.above && s.lead == 0 {
		own := f.startRun(s, int32(p.At)).lines
		for _, at := range starts {
			if int(at) >= beside[0] && int(at) < beside[1] && f.startRun(s, at).lines > max(1, own) {
				return s.from, int(at), true
			}
		}
	}
	if s.below && s.trail == 0 {
		own := f.endRun(s, int32(p.End)).lines
		for _, at := range ends {
			if int(at) > beside[0] && int(at) <= beside[1] && f.endRun(s, at).lines > max(1, own) {
				return s.to - 1, int(at) - 1, true
			}
		}
	}
	return 0, 0, false
}

// isLine reports whether `line` equals the nearest nonblank line of the file, from line `at` in the direction of
// `step`. The line must have enough letters. Indentation is ignored.
func (f *search) isLine(at, step int, line string) bool {
	for at >= 0 && at < len(f.b.lines) && f.b.lines[at] == "" {
		at += step
	}
	return at >= 0 && at < len(f.b.lines) && letters(line) >= fewestLetters && strings.TrimSpace(f.b.lines[at]) == strings.TrimSpace(line)
}

// common counts how many of `lines`, beginning with the first, the file has in a row from line `at` on. It ignores
// blank lines of the file.
func (f *search) common(at int, lines []string) int {
	for n, line := range lines {
		if at >= len(f.b.lines) || f.b.lines[at] != line {
			return n
		}
		at = f.b.next(at+1, +1)
	}
	return len(lines)
}

// inARow returns the places at which the file has line a directly above line b, apart from blank lines.
func (f *search) inARow(a, b string) (out []int) {
	class, next := f.b.index.Class(a), f.b.index.Class(b)
	if class < 0 || next < 0 {
		return nil
	}
	for _, at := range f.b.index.Places(class) {
		f.work--
		if i := f.b.next(int(at)+1, +1); i < len(f.b.lines) && f.b.index.ClassOf(i) == next {
			out = append(out, int(at))
		}
	}
	return out
}

// loss returns the [Kind] of the reason to ask about the lines that a hunk deletes, or false if there is no such
// reason.
func (f *search) loss(h Hunk) (Kind, bool) {
	var goes, comes []string
	goes = append(goes, text.Only(f.b.lines[h.At:h.End], func(line string) bool { return line != "" })...)
	comes = append(comes, text.Only(h.Lines, func(line string) bool { return line != "" })...)
	least := func(lines []string) int32 {
		n := indentOf("")
		for _, line := range lines {
			n = min(n, indentOf(line))
		}
		return n
	}
	switch {
	case len(goes) == 0:
		return 0, false
	case len(comes) == 0:
		return Gone, true
	case len(goes) >= len(comes)+mostMore:
		return ManyGone, true
	case len(comes) == 1 && SortOf(comes[0]) > Text && (len(goes) > 1 || SortOf(goes[0]) == Text):
		return ForComment, true
	case least(goes) < least(comes):
		return LessIndented, true
	}
	return 0, false
}

// unlike counts the deleted lines of a hunk that no similar line replaces. Similar lines must be in the same order, and
// at most 50 lines apart.
func (f *search) unlike(h Hunk, like func(a, b string) bool) int {
	gone, next := 0, 0
	for _, line := range f.b.lines[h.At:h.End] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		i := next
		for i < min(len(h.Lines), next+50) && !like(line, h.Lines[i]) {
			i++
		}
		if i < min(len(h.Lines), next+50) {
			next = i + 1
		} else {
			gone++
		}
	}
	return gone
}
