package elision

import "strings"

// anchor finds the lines of a segment by which it is placed: its edges beside elisions, which the
// file should have. New lines there are read as inserted beside the line of the file that follows,
// and a segment that only lacks a constant indentation gets it; both ask. False: the
// segment has no line of the file, and the reason says so.
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

// filledEdges moves the edges of a segment past its blank lines, and reports whether a line is left.
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

// indented gives a segment the indentation that its lines have in the file, if there is one by
// which its edges are lines of the file and which most of its lines have.
func (f *search) indented(s *segment) bool {
	indents := map[string]map[string]bool{} // of lines of the file, by what the lines of the segment say
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
	with := *s
	with.take(lines, class)
	if !f.hasEdges(&with) {
		return false
	}
	*s = with
	return true
}

// shiftOf is what goes and what comes at the beginning of a line to change its indentation.
func shiftOf(has, want string) (shift [2]string, ok bool) {
	switch {
	case strings.HasSuffix(want, has):
		return [2]string{"", want[:len(want)-len(has)]}, true
	case strings.HasSuffix(has, want):
		return [2]string{has[:len(has)-len(want)], ""}, true
	}
	return shift, false
}

// shifted are lines with another indentation; false if one of them does not begin as the others.
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

// like finds the lines of the file that the outermost new lines beside an elision are like: each may
// be that line, changed, and the part begins or ends there. False: only other new lines are like
// a line there, so that it cannot be told what they replace.
func (f *search) like(s *segment, at place, w window) (place, bool) {
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
