package elision

import "strings"

// anchor finds the lines that determine the place of a segment: its edges next to elisions, which
// should be lines of the file. If there are new lines at an edge, they are read as inserted next to
// the closest line that the file has. If only a constant indentation is missing from the segment, it
// is added. In both cases, the reading asks. If the segment has no line of the file, anchor returns
// false with the reason.
func (f *search) anchor(s *segment, part int) ([]Reason, bool) {
	if f.hasEdges(s) {
		return nil, true
	}
	if f.indented(s) {
		return []Reason{{Kind: Shifted, Part: part, Line: s.from, Text: s.lines[0]}}, true
	}
	for s.above && s.lead < len(s.lines) && s.class[s.lead] < 0 {
		s.lead++
	}
	for s.below && s.trail < len(s.lines)-s.lead && s.class[len(s.lines)-1-s.trail] < 0 {
		s.trail++
	}
	line := s.from
	if s.lead == 0 {
		line = s.to - 1
	}
	reason := Reason{Kind: NewEdge, Part: part, Line: line, Text: s.lines[line-s.from]}
	anchored := s.lead < len(s.lines)-s.trail && s.filledEdges()
	if !anchored {
		reason.Kind = NoAnchor
	}
	return []Reason{reason}, anchored
}

// filledEdges moves the edges of a segment past its blank lines, and reports whether a line
// remains.
func (s *segment) filledEdges() bool {
	for s.lead < s.end() && s.lead > 0 && s.lines[s.lead] == "" {
		s.lead++
	}
	for s.trail > 0 && s.first() < s.end() && s.lines[s.end()-1] == "" {
		s.trail++
	}
	for s.lead > 0 && s.lead < s.end() && s.class[s.lead] < 0 {
		s.lead++
	}
	for s.trail > 0 && s.lead < s.end() && s.class[s.end()-1] < 0 {
		s.trail++
	}
	return s.lead < s.end()
}

func (f *search) hasEdges(s *segment) bool {
	return (!s.above || s.class[0] >= 0) && (!s.below || s.class[len(s.class)-1] >= 0)
}

// indented gives a segment the indentation that its lines have in the file. It returns false unless
// one shift turns the edges into lines of the file and applies to most of the lines.
func (f *search) indented(s *segment) bool {
	if f.spent(len(f.b.lines) + len(s.lines)) {
		return false
	}
	// Maps trimmed lines of the segment to the indentations that they have in the file.
	indents := map[string]map[string]bool{}
	for _, line := range s.lines {
		indents[strings.TrimSpace(line)] = map[string]bool{}
	}
	for _, line := range f.b.lines {
		trimmed := strings.TrimSpace(line)
		if found, ok := indents[trimmed]; ok && trimmed != "" {
			found[line[:len(line)-len(strings.TrimLeft(line, " \t"))]] = true
		}
	}
	votes := map[[2]string]int{}
	for _, line := range s.lines {
		has := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for want := range indents[strings.TrimSpace(line)] {
			if shift, ok := shiftOf(has, want); ok {
				votes[shift]++
			}
		}
	}
	var best [2]string
	most, tied := 0, false
	for shift, n := range votes {
		switch {
		case n > most:
			best, most, tied = shift, n, false
		case n == most:
			tied = true
		}
	}
	if most == 0 || tied || best == [2]string{} {
		return false
	}
	lines, ok := shifted(s.lines, best)
	if !ok {
		return false
	}
	class := make([]int32, len(lines))
	for i, line := range lines {
		class[i] = f.b.index.Class(line)
	}
	moved := *s
	moved.take(lines, class)
	if !f.hasEdges(&moved) {
		return false
	}
	*s = moved
	return true
}

// shiftOf returns two prefixes: the one to remove from a line, and the one to add instead, so that the
// indentation has becomes want.
func shiftOf(has, want string) (shift [2]string, ok bool) {
	switch {
	case strings.HasSuffix(want, has):
		return [2]string{"", want[:len(want)-len(has)]}, true
	case strings.HasSuffix(has, want):
		return [2]string{has[:len(has)-len(want)], ""}, true
	}
	return shift, false
}

// shifted returns lines with another indentation. It returns false if a line does not have the
// prefix to remove.
func shifted(lines []string, shift [2]string) ([]string, bool) {
	out := make([]string, len(lines))
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, shift[0])
		switch {
		case line == "":
		case !ok:
			return nil, false
		default:
			out[i] = shift[1] + rest
		}
	}
	return out, true
}

// takeSimilar extends a place by lines of the file that are similar to the outermost new lines next to an
// elision, because such a new line may be the changed form of the similar line. It returns false if only new
// lines farther inside have similar lines, because it is then unknown which lines the outermost ones replace.
func (f *search) takeSimilar(s *segment, at place, w window) (place, bool) {
	for j := range s.lead {
		for k := at.p - 1; k >= max(0, at.p-int32(s.lead)-2) && f.b.filled[k] > w.low; k-- {
			if !f.likeLine(s.lines[j], k) {
				continue
			}
			if j > 0 {
				return at, false
			}
			at.p = k
			break
		}
	}
	for j := range s.trail {
		for k := at.q; k < min(int32(len(f.b.lines)), at.q+int32(s.trail)+2) && f.b.filled[k+1] < w.high; k++ {
			if !f.likeLine(s.lines[len(s.lines)-1-j], k) {
				continue
			}
			if j > 0 {
				return at, false
			}
			at.q = k + 1
			break
		}
	}
	return at, true
}

func (f *search) likeLine(line string, k int32) bool {
	return line != "" && f.b.lines[k] != "" && isLike(line, f.b.lines[k])
}
