package check

import (
	"fmt"
	"io"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Part is a part of a block that a person can leave out: a change of one file, or a part
// of one, such as a hunk.
type Part struct {
	At   text.Span // in the document
	Path string    // of the change, as written
	Of   int       // index of the part that contains this one; -1 for a change
}

// Skip holds, by block, from 1, the parts that are left out, by index in [Block.Parts].
type Skip map[int][]int

// Count returns the number of parts that are left out.
func (s Skip) Count() int {
	n := 0
	for _, parts := range s {
		n += len(parts)
	}
	return n
}

func (s Skip) has(block, part int) bool { return slices.Contains(s[block], part) }

// partsOf lists the parts of changes. Spans refer to the body.
func partsOf(changes []intent.Change) []Part {
	var parts []Part
	for _, c := range changes {
		whole := len(parts)
		parts = append(parts, Part{At: c.At, Path: c.Path, Of: -1})
		for _, at := range c.Segments() {
			parts = append(parts, Part{At: at, Path: c.Path, Of: whole})
		}
		for _, s := range c.Steps {
			for _, at := range s.Parts() {
				parts = append(parts, Part{At: at, Path: c.Path, Of: whole})
			}
		}
	}
	return parts
}

// skipped returns [plan.Options.Skipped] for the blocks of r, or nil if nothing is left
// out.
func (r *Result) skipped(skip Skip) []intent.Skipped {
	if len(skip) == 0 {
		return nil
	}
	left := make([]intent.Skipped, len(r.Blocks))
	for i, b := range r.Blocks {
		left[i] = intent.Skipped{}
		for n, p := range partsOf(b.Set.Changes) {
			if skip.has(b.Index, n) {
				left[i][p.At] = true
			}
		}
	}
	return left
}

// writeKey makes a reply without some parts differ from the whole one in the history.
func (s Skip) writeKey(w io.Writer, b Block) {
	if parts := s[b.Index]; len(parts) > 0 {
		sorted := slices.Sorted(slices.Values(parts))
		fmt.Fprintf(w, "without %v\n", slices.Compact(sorted))
	}
}
