// Package format says what a format of edits is. Each format is a folder below
// this one; the list of them is the engine's. Formats never import each other.
package format

import (
	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// A Format is one way to write edits.
type Format struct {
	Name   string   // in reports and on the command line: bundle, structured, ...
	Fences []string // the info strings of the code blocks it is written in, lower case
	// Extensions are those of files that are one block, lower case, without the dot.
	Extensions []string
	// Begins reports whether a text that is no file with a known extension begins as
	// this format does, so that all of it may be one block.
	Begins func(text string) bool

	// Claims reports whether a block's body is shaped like this format, broken or
	// not. What no format claims is left alone.
	Claims func(body string) bool
	// Unmistakable is the same for a block that no info string vouches for: only a
	// shape that nothing else has.
	Unmistakable func(body string) bool
	// Parse reads a body that is claimed, or that the person says is of this format.
	Parse func(body string) Parsed
}

// Parsed is what a block says. Where Diagnostics has an error, Set holds only
// the entries that could be understood, and must not be applied.
type Parsed struct {
	Set         intent.Set
	Diagnostics []diag.Diagnostic // spans are bytes of the body

	// How many entries the block seems to have, and of how many it is known what
	// they ask for. They differ only where Diagnostics has an error.
	Entries, Readable int

	// Batch is a line patch as it is told again, without ids, and with the files and
	// changes that could be read: those of Set.Changes, and one change for each part
	// of their only step. Nil in other formats.
	Batch *protocol.Batch
}
