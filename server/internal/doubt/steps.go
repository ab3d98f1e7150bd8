package doubt

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// Steps collects the runs of steps that change one text one after the other. The line numbers of a step refer to the
// text after the earlier steps. The line numbers of the collected runs refer to the text before the first step.
type Steps struct {
	runs []Run
	// Where the lines of the current text were in the first text, sorted; nil while both have the same lines. The last
	// stretch has no end.
	was  []stretch
	last int // the last line number of the first text
}

// A stretch is a sequence of lines of the current text, up to the next stretch: either lines of the first text, or added
// lines, which all have the line number at which they were added.
type stretch struct {
	at    int // the index of its first line
	line  int // the number of its first line in the first text
	added bool
}

func (s stretch) lineAt(at int) int {
	if s.added {
		return s.line
	}
	return s.line + at - s.at
}

// Add adds the sorted runs of the next step. `t` is the text before that step, and `block` is the index of the step's
// block.
func (s *Steps) Add(t *locate.Text, block int, runs []Run) {
	s.runs = append(s.runs, runs...)
	runs = s.runs[len(s.runs)-len(runs):]
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		r.At.Block = block
		at := r.Line - 1
		if s.was != nil {
			r.Line = min(s.was[s.following(at)-1].lineAt(at), s.last)
		}
		if len(r.New) == len(r.Old) {
			continue
		}
		if s.was == nil {
			s.was, s.last = []stretch{{line: 1}}, t.LineAtRaw(t.Len())+1
		}
		if begin := s.following(at - 1); t.Meter().Pay(len(s.was) - begin) {
			s.replace(begin, at, len(r.Old), len(r.New), r.Line)
		}
	}
}

// following returns the index of the first stretch that begins after a line of the current text.
func (s *Steps) following(at int) int {
	i, _ := slices.BinarySearchFunc(s.was, at+1, func(w stretch, at int) int { return w.at - at })
	return i
}

// replace replaces `old` lines at a line of the current text with `new` lines, which were added at line number `line`
// of the first text. `begin` is the index of the first stretch that begins at or after that line.
func (s *Steps) replace(begin, at, old, new, line int) {
	end := s.following(at + old)
	rest := s.was[end-1]
	rest.line, rest.at = rest.lineAt(at+old), at+new
	for i := range s.was[end:] {
		s.was[end+i].at += new - old
	}
	with := []stretch{{at, line, true}, rest}
	if new == 0 {
		with = with[1:]
	}
	s.was = slices.Replace(s.was, begin, end, with...)
}

// Runs returns the runs of all steps from top to bottom.
func (s *Steps) Runs() []Run {
	slices.SortStableFunc(s.runs, func(a, b Run) int { return a.Line - b.Line })
	return s.runs
}
