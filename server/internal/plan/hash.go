package plan

import (
	"runtime"

	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Hash computes the plan's Sums on all processors. Without it, the writer and the recorder of
// a plan would each hash all contents.
func (p *Plan) Hash() {
	files := Paths(p.Files)
	sums := make([]text.Sums, len(files))
	workers := min(runtime.GOMAXPROCS(0), len(files))
	group := parallel.New(workers)
	for first := range workers {
		group.Go(func() error {
			for i := first; i < len(files); i += workers {
				sums[i] = text.Sums{Before: text.Sum(files[i].Before.Data), After: text.Sum(files[i].After.Data)}
			}
			return nil
		})
	}
	_ = group.Wait()
	p.Sums = sums
}
