// Package text is the lowest layer: content, lines, positions, line endings, encodings and edits.
// It does not depend on formats, files or editors.
//
// The whole program uses the same units. An offset is a number of bytes in UTF-8 text. A [Position]
// counts lines from 0 and characters in UTF-16 units, as the Language Server Protocol does. A line
// *number* in a message counts from 1. Only LF, CRLF and CR end a line.
package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Span is the half-open byte range [Start, End) of some text.
type Span struct{ Start, End int }

// Len returns the length of s in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s covers no bytes. An empty span still has a position.
func (s Span) Empty() bool { return s.Start == s.End }

// Contains reports whether the span o is completely inside s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Overlaps reports whether two spans share a byte, or one of them is empty and inside the other.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// Shift returns s moved by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// In returns the part of src in the span.
func (s Span) In(src string) string { return src[s.Start:s.End] }

func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }

// An Edit replaces the bytes of Span with New. If Span is empty, it inserts New.
type Edit struct {
	Span Span
	New  string
}

// Apply returns `src` with all edits made together. Spans are bytes of src. The edits may come in any order, and their
// spans must not overlap. Two insertions at the same offset keep the order in which they were given.
//
// If an edit is not valid for `src`, Apply returns an error and makes no edit at all.
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

// Sorted returns the edits from top to bottom. It returns an error if an edit is outside src or two edits overlap.
func Sorted(src string, edits []Edit) ([]Edit, error) { return Sort(len(src), edits) }

// Sort is like [Sorted], for a text of the given size in bytes.
func Sort(size int, edits []Edit) ([]Edit, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, ByPlace)
	at := 0
	for _, e := range sorted {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > size {
			return nil, fmt.Errorf("the edit at %v overlaps another edit or lies outside the text, which has %d bytes", e.Span, size)
		}
		at = e.Span.End
	}
	return sorted, nil
}

// ByPlace compares edits by their spans. Two insertions at one offset count as equal, because their order is unknown.
func ByPlace(a, b Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// Insertion returns an edit that inserts s at an offset.
func Insertion(at int, s string) Edit { return Edit{Span: Span{Start: at, End: at}, New: s} }

func growth(edits []Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New) - e.Span.Len()
	}
	return max(n, 0)
}
