package doubt

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// Steps collects the runs of steps that change one text one after the other. The line numbers of a step refer to the
// text after the earlier steps. The line numbers of the collected runs refer to the text before the first step.
type Steps struct {
	runs []Run
	// maps the index of each line in the current text to its line number in the first text; nil while both are the same
	was []int
}

// Add adds the sorted runs of the next step. t is the text before that step, and block is the index of its block.
func (s *Steps) Add(t *locate.Text, block int, runs []Run) {
	s.runs = append(s.runs, runs...)
	runs = s.runs[len(s.runs)-len(runs):]
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		r.At.Block = block
		at := r.Line - 1
		if s.was != nil {
			r.Line = s.was[min(at, len(s.was)-1)]
		}
		if len(r.New) == len(r.Old) {
			continue
		}
		if s.was == nil {
			s.was = make([]int, t.LineAtRaw(t.Len())+1)
			for i := range s.was {
				s.was[i] = i + 1
			}
		}
		if at = min(at, len(s.was)-1); t.Meter().Pay(len(s.was) - at) {
			to := min(at+len(r.Old), len(s.was)-1)
			s.was = slices.Replace(s.was, at, max(at, to), slices.Repeat([]int{r.Line}, len(r.New))...)
		}
	}
}

// Runs returns the runs of all steps from top to bottom.
func (s *Steps) Runs() []Run {
	slices.SortStableFunc(s.runs, func(a, b Run) int { return a.Line - b.Line })
	return s.runs
}
