package elision

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// anchor checks whether the file has the segment's lines next to elisions, because these lines determine the place.
// If only the indentation is wrong, anchor corrects it. Otherwise, it counts the new lines at each edge in lead and
// trail. In both cases, it returns a reason to ask the person. It returns false if no line is left that determines
// the place.
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
	if !anchored && !s.free && s.mayBeBesideFile(f.b) {
		s.lead, s.trail, anchored = len(s.lines), 0, true
	}
	if !anchored {
		reason.Kind = NoAnchor
	}
	return []Reason{reason}, anchored
}

// filledEdges extends lead and trail by adjacent lines that are blank or new. It also extends them by lines without
// words, such as the closing bracket of a new block, if another line then remains in between. It returns false if no
// line remains.
func (s *segment) filledEdges() bool {
	lead, trail, indent := s.lead, s.trail, int32(0)
	if lead > 0 {
		indent = indentOf(s.lines[0])
	}
	s.widen(func(line string, class int32) bool {
		return class < 0 || line == "" || !text.HasWord(line) && indentOf(line) >= indent
	})
	if s.lead < s.end() {
		return true
	}
	s.lead, s.trail = lead, trail
	s.widen(func(line string, class int32) bool { return class < 0 || line == "" })
	return s.lead < s.end()
}

// widen adds lines to lead and trail while `more` accepts them. It does not change an edge without new lines.
func (s *segment) widen(more func(line string, class int32) bool) {
	for s.lead > 0 && s.lead < s.end() && more(s.lines[s.lead], s.class[s.lead]) {
		s.lead++
	}
	for s.trail > 0 && s.lead < s.end() && more(s.lines[s.end()-1], s.class[s.end()-1]) {
		s.trail++
	}
}

func (f *search) hasEdges(s *segment) bool {
	return (!s.above || s.class[0] >= 0) && (!s.below || s.class[len(s.class)-1] >= 0)
}

// indented shifts a segment to the indentation that its lines have in the file. It chooses the shift that most lines
// need. It returns false if that shift is zero, if another shift is equally frequent, or if the file lacks the first
// or last line of the segment even after the shift.
func (f *search) indented(s *segment) bool {
	if f.spent(len(f.b.lines) + len(s.lines)) {
		return false
	}
	// indents[line] holds the indentations that a trimmed line of the segment has in the file.
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
	moved := *s
	moved.take(lines, text.Each(lines, f.b.index.Class))
	if !f.hasEdges(&moved) {
		return false
	}
	*s = moved
	return true
}

// shiftOf returns the prefix to remove from a line and the prefix to add, so that the indentation `has` becomes
// `want`. It returns false if neither indentation ends with the other.
func shiftOf(has, want string) (shift [2]string, ok bool) {
	switch {
	case strings.HasSuffix(want, has):
		return [2]string{"", want[:len(want)-len(has)]}, true
	case strings.HasSuffix(has, want):
		return [2]string{has[:len(has)-len(want)], ""}, true
	}
	return shift, false
}

// shifted replaces the prefix shift[0] of each line with shift[1]. It returns false if a line does not
// have that prefix. Empty lines stay empty.
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

// takeSimilar extends the place `at` by lines of the file above and below it, if new lines at the edges of the
// segment may be the changed forms of these lines. It returns the likeliest of the extended places, or `at`.
func (f *search) takeSimilar(s *segment, at site, w window) site {
	lead, trail := s.lead, s.trail
	if s.above && f.loose {
		lead = s.firstAt(f.b.class(at.p))
	}
	if s.below && f.loose {
		trail = len(s.lines) - s.endAt(f.b.class(at.q-1))
	}
	isBlock := s.beginsWithBlock(lead)
	best := at
	try := func(to site) {
		one := &segment{lines: s.lines, class: s.class, places: []site{to}}
		if f.keep(one, f.b.index) && f.rewriting(s, one.places[0], resembles) < f.rewriting(s, best, resembles) {
			best = one.places[0]
		}
	}
	for k := at.p - 1; k >= max(0, at.p-int32(lead)-2) && f.b.filled[k] > w.low; k-- {
		if slices.ContainsFunc(s.lines[:lead], func(line string) bool {
			otherBlock := isBlock && (indentOf(line) > indentOf(s.lines[0]) || calls(line) != calls(f.b.lines[k]))
			return !otherBlock && text.HasWord(line) && resembles(line, f.b.lines[k])
		}) {
			try(site{p: k, q: at.q})
		}
	}
	at = best
	for k := at.q; k < min(int32(len(f.b.lines)), at.q+int32(trail)+2) && f.b.filled[k+1] < w.high; k++ {
		if slices.ContainsFunc(s.lines[len(s.lines)-trail:], func(line string) bool { return text.HasWord(line) && resembles(line, f.b.lines[k]) }) {
			try(site{p: at.p, q: k + 1})
		}
	}
	return best
}

// resembles reports whether a line may be the changed form of the other line: it is similar, gives a value to the
// same name, or calls the same function.
func resembles(a, b string) bool {
	name := named(a)
	return b != "" && isLike(a, b) || name != "" && name == named(b)
}

// named returns the text before the first `=`, `:` or `(` of a line if that text may be a name, otherwise "".
func named(line string) string {
	line = strings.TrimSpace(line)
	i := strings.IndexFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.$\"'@", r)
	})
	if i <= 0 || i+1 < len(line) && line[i+1] == line[i] || strings.IndexByte("=:(", line[i]) < 0 || line[0] == '-' {
		return ""
	}
	return strings.TrimSpace(line[:i])
}

// beginsWithBlock reports whether the first `lead` lines of the segment are whole blocks.
func (s *segment) beginsWithBlock(lead int) bool {
	outer := func(line string) bool { return indentOf(line) <= indentOf(s.lines[0]) }
	return lead > 1 &&
		lead < len(s.lines) &&
		outer(s.lines[lead]) &&
		!slices.ContainsFunc(s.lines[:lead], func(line string) bool { return line != "" && indentOf(line) < indentOf(s.lines[0]) }) &&
		slices.ContainsFunc(s.lines[1:lead], func(line string) bool { return line != "" && !outer(line) })
}

// calls returns the name before the first parenthesis of a line, such as `area` in `def area(self):`, or "".
func calls(line string) string {
	if receiver, method, ok := strings.Cut(line, ") "); ok && strings.HasPrefix(receiver, "func (") {
		line = method
	}
	before, _, _ := strings.Cut(line, "(")
	return before[strings.LastIndexFunc(before, func(r rune) bool { return !text.InName(r) })+1:]
}
