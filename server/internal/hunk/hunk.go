// Package hunk places the hunks of a unified diff in a text: where git would, or
// not at all. What git refuses although the place is clear gets a fix that writes
// the hunk as git takes it.
package hunk

import "github.com/aptix-dev/aptix/server/internal/text"

// A Hunk is one hunk as a patch writes it. All spans are bytes of the block's body.
type Hunk struct {
	At     text.Span // from its header to its last line, with that line's ending
	Header text.Span // the header line without its ending; empty where the hunk has none

	Numbered bool   // the header has line numbers; else Old and New say nothing
	Old, New Range  // as the header says
	Section  string // what follows the second @@, without white space around it

	Lines []Line
	// Tail is the first of Lines that git leaves out: the counts of the header say that
	// the hunk is complete before it. 0 where there is no such line.
	Tail int
	// Loose is how many empty lines follow Lines that may be context, too.
	Loose int
}

// A Range is one side of a hunk's header: the first line, from 1, and how many.
type Range struct{ Start, Count int }

// A Line is one line of a hunk's body.
type Line struct {
	Op   byte      // ' ', '-' or '+'
	Text string    // the line in the file, with "\n" unless a marker says that it has none
	At   text.Span // the line in the block with its Op, without its ending
	Bare bool      // it is written without an Op, and taken as context
}
