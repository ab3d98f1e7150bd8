package doubt

import (
	"math"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/place"
)

// Steps collects the runs of steps that change one text one after the other. It converts their line numbers, which
// refer to the text after the earlier steps, to line numbers of the text before the first step.
type Steps struct {
	runs []Run
	// the stretches of the current text; nil until a step changes the number of lines. The last stretch has no end.
	was  []stretch
	old  []stretch // memory for the previous stretches, which [Steps.replace] uses again
	last int       // the last line number of the text before the first step
}

// A stretch is a sequence of lines of the current text, up to the next stretch. Either all its lines come from the
// text before the first step, or all were added. Added lines all get the number of the line at which they were added.
type stretch struct {
	at    int // the index of its first line
	line  int // the number of its first line in the text before the first step
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
func (s *Steps) Add(t *place.Text, block int, runs []Run) {
	s.runs = append(s.runs, runs...)
	now := s.runs[len(s.runs)-len(runs):]
	moved := slices.IndexFunc(now, func(r Run) bool { return len(r.New) != len(r.Old) })
	for i := range now {
		r := &now[i]
		r.At.Block = block
		if s.was != nil {
			r.Line = min(s.was[s.following(r.Line-1)-1].lineAt(r.Line-1), s.last)
		}
	}
	if moved < 0 {
		return
	}
	if s.was == nil {
		s.was, s.last = []stretch{{line: 1}}, t.LineAtRaw(t.Len())+1
	}
	if begin := s.following(runs[moved].Line - 1); t.Meter().Pay(2 * (len(s.was) - begin + len(runs))) {
		s.replace(begin, runs[moved:], now[moved:])
	}
}

// following returns the index of the first stretch that begins after line index `at` of the current text.
func (s *Steps) following(at int) int {
	i, _ := slices.BinarySearchFunc(s.was, at+1, func(w stretch, at int) int { return w.at - at })
	return i
}

// replace updates the stretches for a step with the given runs. `now` has the same runs with converted line numbers,
// and `begin` is the index of the first stretch that begins after the first line of the runs.
func (s *Steps) replace(begin int, runs, now []Run) {
	old := append(s.old[:0], s.was[begin-1:]...)
	s.old, s.was = old, s.was[:begin-1]
	at, shift := old[0].at, 0
	for i, r := range runs {
		if len(r.New) == len(r.Old) {
			continue
		}
		old = s.keep(old, at, r.Line-1, shift)
		if len(r.New) > 0 {
			s.was = append(s.was, stretch{r.Line - 1 + shift, now[i].Line, true})
		}
		at, shift = r.Line-1+len(r.Old), shift+len(r.New)-len(r.Old)
	}
	s.keep(old, at, math.MaxInt, shift)
}

// keep appends the part of `old` between the line indexes `from` and `to` to s.was, moved by `shift` lines. It
// returns the stretches of `old` that end after `to`.
func (s *Steps) keep(old []stretch, from, to, shift int) []stretch {
	for from < to {
		end := to
		if len(old) > 1 {
			end = min(to, old[1].at)
		}
		if from < end {
			s.was = append(s.was, stretch{from + shift, old[0].lineAt(from), old[0].added})
			from = end
		}
		if from < to {
			old = old[1:]
		}
	}
	return old
}

// Runs returns the runs of all steps from top to bottom.
func (s *Steps) Runs() []Run {
	slices.SortStableFunc(s.runs, func(a, b Run) int { return a.Line - b.Line })
	return s.runs
}
