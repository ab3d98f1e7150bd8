package check

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Part is a part of a block that a person can leave out: the change of one file, or a piece of it, such as a hunk.
type Part struct {
	At   text.Span // the span in the document
	Path string    // the path of the changed file, as written
	Of   int       // the index of the part that contains this one; -1 if this part is a whole change
	// the part belongs to a whole text that leaves out lines of its file; other whole texts have no parts
	Text bool
}

// Skip has the parts to leave out. It maps blocks, from 1, to indexes in [Block.Parts].
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

// LeftOut returns a function for [Choice.LeftOut], for a history and the workspace at root. If the history turns out to
// be damaged, nothing is left out.
func LeftOut(h *history.Store, root string) func(context.Context) (map[string]history.LeftOut, error) {
	return func(ctx context.Context) (map[string]history.LeftOut, error) {
		all, err := h.LeftOut(ctx, root)
		if sqlitefile.Damaged(err) {
			return nil, nil
		}
		return all, err
	}
}

// TextKey returns a key of the block's format and body, which does not depend on the parts that are left out.
func (b Block) TextKey() string { return key([]Block{b}, nil) }

func (r *Result) leaveOut(ctx context.Context, where Where) error {
	if where.LeftOut == nil {
		return nil
	}
	all, err := where.LeftOut(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	r.Skip, r.Missing = Skip{}, Skip{}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		left := all[b.TextKey()]
		r.Skip.add(b.Index, left.Parts, len(b.Parts))
		r.Missing.add(b.Index, left.Missing, len(b.Steps()))
	}
	return nil
}

// add marks parts of a block as left out. The block has `count` parts; higher indexes are ignored.
func (s Skip) add(block int, parts []int, count int) {
	for _, part := range parts {
		if 0 <= part && part < count && !s.has(block, part) {
			s[block] = append(s[block], part)
		}
	}
}

func partsOf(changes []intent.Change) []Part {
	var parts []Part
	for _, c := range changes {
		whole := len(parts)
		parts = append(parts, Part{At: c.At, Path: c.Path, Of: -1})
		for _, at := range c.Segments() {
			parts = append(parts, Part{At: at, Path: c.Path, Of: whole, Text: true})
		}
		for _, s := range c.Steps {
			for _, at := range s.Parts() {
				parts = append(parts, Part{At: at, Path: c.Path, Of: whole})
			}
		}
	}
	return parts
}

// in returns, for each block, the spans whose indexes are in s. It returns nil if s is empty.
func (s Skip) in(blocks []Block, spans func(Block) []text.Span) []intent.Skipped {
	if len(s) == 0 {
		return nil
	}
	left := make([]intent.Skipped, len(blocks))
	for i, b := range blocks {
		left[i] = intent.Skipped{}
		for n, at := range spans(b) {
			if s.has(b.Index, n) {
				left[i][at] = true
			}
		}
	}
	return left
}

func spansOfParts(b Block) (all []text.Span) {
	return text.Each(partsOf(b.Set.Changes), func(p Part) text.Span { return p.At })
}

// writeKey adds the parts left out of a block to a key, so that it differs from the key of the whole block.
func (s Skip) writeKey(w io.Writer, b Block) {
	if parts := s[b.Index]; len(parts) > 0 {
		sorted := slices.Sorted(slices.Values(parts))
		fmt.Fprintf(w, "without %v\n", slices.Compact(sorted))
	}
}
