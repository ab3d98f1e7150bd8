package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Edit replaces the bytes of Span by New. If Span is empty, it inserts New.
type Edit struct {
	Span Span
	New  string
}

// Apply returns src with all edits made at once. Spans are offsets in src. They may come in
// any order and must not overlap. Two insertions at the same offset keep the order in which
// they were given.
//
// If an edit is not valid for src, Apply returns an error and makes no edit at all.
func Apply(src string, edits []Edit) (string, error) {
	if len(edits) == 0 {
		return src, nil
	}
	sorted, err := Sorted(src, edits)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(src) + growth(sorted))
	at := 0
	for _, e := range sorted {
		b.WriteString(src[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(src[at:])
	return b.String(), nil
}

// Sorted returns edits from top to bottom, or an error if one lies outside src or two
// overlap.
func Sorted(src string, edits []Edit) ([]Edit, error) { return Sort(len(src), edits) }

// Sort does the work of [Sorted] for a text of size bytes.
func Sort(size int, edits []Edit) ([]Edit, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	at := 0
	for _, e := range sorted {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > size {
			return nil, fmt.Errorf("the edit at %v overlaps another one, or lies outside of the text, which has %d bytes", e.Span, size)
		}
		at = e.Span.End
	}
	return sorted, nil
}

func growth(edits []Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New) - e.Span.Len()
	}
	return max(n, 0)
}
