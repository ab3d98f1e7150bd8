// Package text is the lowest layer: content, lines, positions, line endings, encodings and
// edits. It knows nothing of formats, files or editors.
//
// The whole program uses the same units. An offset is a number of bytes in UTF-8 text. A
// [Position] counts lines from 0 and characters in UTF-16 units, as the Language Server
// Protocol does. A line *number* in a message counts from 1. Lines end at LF, CRLF and CR,
// and at nothing else.
package text

import "fmt"

// A Span is the half-open byte range [Start, End) of some text.
type Span struct{ Start, End int }

// Len returns the length of s in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s covers no bytes. An empty span still has a position.
func (s Span) Empty() bool { return s.Start == s.End }

// Contains reports whether o lies wholly inside s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Shift returns s moved by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// In returns the part of src that s covers.
func (s Span) In(src string) string { return src[s.Start:s.End] }

func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }
