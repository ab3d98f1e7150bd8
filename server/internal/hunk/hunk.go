// Package hunk places the hunks of a unified diff in a text: at the place that git would choose,
// or not at all. If git refuses a hunk whose place is clear, a fix rewrites the hunk so that git
// accepts it.
package hunk

import "github.com/aptix-dev/aptix/server/internal/text"

// A Hunk is one hunk in the form of its patch. All spans are bytes of the block's body.
type Hunk struct {
	At     text.Span // from the header to the last line, including its ending
	Header text.Span // the header line without its ending; empty if the hunk has none

	Numbered bool   // the header has line numbers; otherwise Old and New are meaningless
	Old, New Range  // the numbers in the header
	Section  string // the text after the second @@, without white space around it

	Lines []Line
	// Tail is the index of the first of Lines that git ignores, because the hunk is already complete
	// according to the counts of the header. It is 0 if git ignores none.
	Tail int
	// Loose counts the empty lines directly below the hunk that may belong to its context, too.
	Loose int
}

// A Range is one side of a hunk's header: the first line, from 1, and the number of lines.
type Range struct{ Start, Count int }

// A Line is one line of a hunk's body.
type Line struct {
	Op   byte      // ' ', '-' or '+'
	Text string    // the line of the file, with "\n" unless a marker says that it has no newline
	At   text.Span // the span in the block of the line with its Op, without its ending
	Bare bool      // the line is written without an Op, and counts as context
}
