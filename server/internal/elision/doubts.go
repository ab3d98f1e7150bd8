package elision

import (
	"slices"
	"strings"
)

// Bounds of what a reading may lose in silence.
const (
	mostMore = 4 // that a run loses so many lines more than it gains
	mostGone = 8 // lines that go, of all parts, and have no like line in their place
)

// mostCost is up to which cost another place speaks against an unchanged part of two lines.
const mostCost = 80

// doubts are the reasons to ask about a reading whose places are settled.
func (f *search) doubts(c choice, parts []Part) []Reason {
	var out []Reason
	gone := 0
	for i, p := range parts {
		s, at := f.segments[i], c.at[i]
		add := func(kind Kind, line int, text string) {
			out = append(out, Reason{Kind: kind, Part: i, Line: line, Text: text})
		}
		if len(p.Hunks) == 0 {
			if other, ok := f.otherwise(s, at); ok {
				out = append(out, Reason{Kind: MayChange, Part: i, Line: s.from, Text: s.lines[0], Other: int(other.p)})
			}
			continue
		}
		if !f.keepsSaying(s, p) {
			add(SaysLittle, s.from, s.lines[0])
		}
		if !f.shows(s, at) {
			add(WeakEdge, s.from, s.lines[0])
		}
		if line, there, ok := f.moved(p, between(parts, i, len(f.b.lines))); ok {
			out = append(out, Reason{Kind: Moved, Part: i, Line: s.from, Text: line, Other: there})
		}
		if h := p.Hunks[0]; !s.above && s.class[0] < 0 && SortOf(s.lines[0]) > Text && h.End > h.At {
			add(CommentEdge, s.from, s.lines[0])
		}
		h, last := p.Hunks[len(p.Hunks)-1], len(s.lines)-1
		if !s.below && s.class[last] < 0 && SortOf(s.lines[last]) > Text && h.End > h.At {
			add(CommentEdge, s.to-1, s.lines[last])
		}
		if !f.balanced(s, at) {
			add(Unbalanced, s.from, s.lines[0])
		}
		for _, h := range p.Hunks {
			if kind, ok := f.loss(h); ok {
				out = append(out, Reason{Kind: kind, Part: i, Line: s.from, Text: s.lines[0], Other: h.At, To: h.End})
			}
			gone += f.unlike(h)
		}
	}
	if gone > mostGone {
		out = append(out, Reason{Kind: MuchGone, Other: gone})
	}
	return out
}

// otherwise is another place of a segment of two lines or three that changes nothing, where it
// would change something.
func (f *search) otherwise(s *segment, at place) (place, bool) {
	n := 0
	for _, line := range s.lines {
		if line != "" {
			n++
		}
	}
	if n > 3 || !s.above && !s.below {
		return place{}, false
	}
	starts, ends := f.edges(s)
	other := &segment{lines: s.lines, class: s.class, above: s.above, below: s.below, indent: s.indent, open: s.open}
	if !f.pairs(other, f.room(s), starts, ends) || !f.keep(other) {
		return place{}, true
	}
	for _, o := range other.places {
		if o != at && o.kept >= 0 && other.cost(o) > 0 && (n != 2 || other.cost(o) <= mostCost) {
			return o, true
		}
	}
	return place{}, false
}

// room is the window that the places of the segments beside one leave it.
func (f *search) room(s *segment) window {
	i := slices.Index(f.segments, s)
	w := window{-1, f.b.filled[len(f.b.lines)] + 1}
	if s.above && !s.free {
		w.low = 0
	}
	if s.below && !s.free {
		w.high--
	}
	if i > 0 {
		w.low = 1 << 30
		for _, at := range f.segments[i-1].places {
			w.low = min(w.low, f.b.filled[at.q])
		}
	}
	if i+1 < len(f.segments) {
		w.high = -1
		for _, at := range f.segments[i+1].places {
			w.high = max(w.high, f.b.filled[at.p])
		}
	}
	return w
}

// keepsSaying reports whether a part keeps a line of the file that says something.
func (f *search) keepsSaying(s *segment, p Part) bool {
	line := p.At
	for _, h := range append(slices.Clone(p.Hunks), Hunk{At: p.End}) {
		for ; line < h.At; line++ {
			if letters(f.b.lines[line]) >= says {
				return true
			}
		}
		line = h.End
	}
	return false
}

// between is the lines of the file that a part leaves out or replaces: those from the end of the
// part above to the part below.
func between(parts []Part, i, lines int) (out [2]int) {
	out[1] = lines
	if i > 0 {
		out[0] = parts[i-1].End
	}
	if i+1 < len(parts) {
		out[1] = parts[i+1].At
	}
	return out
}

// A block of so many lines that the file has elsewhere may be moved.
const mostMoved = 4

// moved finds new lines in a row that the file has in a row elsewhere: two where the part leaves
// lines out, as an elision between them may be forgotten, or a block anywhere, which may be moved.
func (f *search) moved(p Part, beside [2]int) (line string, there int, ok bool) {
	for _, h := range p.Hunks {
		filled := slices.DeleteFunc(slices.Clone(h.Lines), func(line string) bool { return line == "" })
		for _, line := range filled {
			if at, ok := f.besideEdge(p, line); ok {
				return line, at, true
			}
		}
		for i := range max(0, len(filled)-1) {
			if min(letters(filled[i]), letters(filled[i+1])) < says {
				continue
			}
			for _, at := range f.inARow(filled[i], filled[i+1]) {
				if at >= beside[0] && at < beside[1] || f.common(at, filled[i:]) >= mostMoved {
					return filled[i], at, true
				}
			}
		}
	}
	return "", 0, false
}

// besideEdge is the line of the file directly beyond an edge of a part that says the same as a new
// line: it may be moved into the part.
func (f *search) besideEdge(p Part, line string) (int, bool) {
	above := p.At - 1
	for above > 0 && f.b.lines[above] == "" {
		above--
	}
	for _, at := range []int{above, f.b.next(p.End)} {
		if at >= 0 && at < len(f.b.lines) && letters(line) >= says && strings.TrimSpace(f.b.lines[at]) == strings.TrimSpace(line) {
			return at, true
		}
	}
	return 0, false
}

// common is how many lines the file has in a row from one on, without counting blank ones.
func (f *search) common(at int, lines []string) int {
	for n, line := range lines {
		if at >= len(f.b.lines) || f.b.lines[at] != line {
			return n
		}
		at = f.b.next(at + 1)
	}
	return len(lines)
}

// inARow is where the file has two lines in a row.
func (f *search) inARow(a, b string) (out []int) {
	class, next := f.b.index.Class(a), f.b.index.Class(b)
	if class < 0 || next < 0 {
		return nil
	}
	for _, at := range f.b.index.Places(class) {
		f.work--
		if i := f.b.next(int(at) + 1); i < len(f.b.lines) && f.b.index.ClassOf(i) == next {
			out = append(out, int(at))
		}
	}
	return out
}

// loss is why lines that go may not be meant to.
func (f *search) loss(h Hunk) (Kind, bool) {
	var goes, comes []string
	for _, line := range f.b.lines[h.At:h.End] {
		if line != "" {
			goes = append(goes, line)
		}
	}
	for _, line := range h.Lines {
		if line != "" {
			comes = append(comes, line)
		}
	}
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

// unlike counts the lines of a hunk that go and have no like line in their place, in order.
func (f *search) unlike(h Hunk) int {
	gone, next := 0, 0
	for _, line := range f.b.lines[h.At:h.End] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		i := next
		for i < min(len(h.Lines), next+50) && !isLike(line, h.Lines[i]) {
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
