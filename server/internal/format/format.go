// Package format says what a format of edits is. Each format is a folder below this one,
// its room, and a line in check.Formats: the command line, the language server and the
// tools of agents take all that they say of it from there. Formats never import each
// other.
package format

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Format is one way to write edits: what of a document it claims, how that is read,
// and what an editor shows of it.
type Format struct {
	Name  string // in reports and on the command line: bundle, structured, ...
	Title string // in a sentence: "a file bundle"
	Noun  string // what a code lens calls a block: "bundle" or "patch"
	Part  string // what a person can leave out of one file's edits: "hunk"; "" for nothing
	// Guest: the notation is that of other tools, so that documents show it without meaning
	// an edit by it.
	Guest bool

	Claims
	Files

	// Parse reads a region that is claimed, or that a person says is of this format.
	Parse func(r *Region) Parsed
	// Schema is the JSON Schema of a block; nil for what is no JSON.
	Schema func() *jsonschema.Schema

	Editor
}

// Claims is what a format takes for its own in a document. What no format claims is
// left alone, so a doubt is no claim: prose and code samples are never edits.
type Claims struct {
	// Fences are the tags of fenced blocks that may be of the format, in lower case.
	Fences []string
	// Shaped reports whether a fenced block with such a tag, or a whole file, is of the
	// format, broken or not. Nil for never.
	Shaped func(r *Region) bool
	// Unmistakable is the same where no tag says so: only a shape that nothing else has.
	Unmistakable func(r *Region) bool
	// Find claims what Fences and Shaped cannot express: text without a fence, several
	// blocks in one fence, a fence with its path on the line above. It sees the whole
	// document, and can keep in Shared what lies outside of a region. A region
	// inside a fence, or one that holds fences whole, is fine; one that cuts a fence in two
	// is dropped, and so is one that overlaps what a format earlier in the list claims. Nil
	// where there is no such thing.
	Find func(d Document) []*Region
}

// Files is which documents are one block as a whole.
type Files struct {
	// Names are the ends of file names that are for nothing else: ".ap", ".aptix.json".
	Names []string
	// SharedNames are those that other files have too: ".json". On the command line, where
	// a person names the file, such a file can be a block; in an editor it is none.
	SharedNames []string
	// Begins reports whether a text without a telling name begins as the format does, so
	// that all of it may be one block. Nil for never.
	Begins func(text string) bool
	// Language is what editors call the language of such files; "" for none of its own.
	Language string
	// BesideFile: the paths in such a file are relative to its folder, and not to the root
	// of the workspace.
	BesideFile bool
}

// A Document is a text in which formats look for blocks.
type Document struct {
	Text   string
	Fences []*Region // the fenced blocks, in order
}

// A Region is a part of a document that may be a block.
type Region struct {
	mdblock.Block
	// Shared is what the formats of one notation have read of the body, so that each of
	// them need not: all formats in JSON share one tree. It is set before the region is
	// shown to anything but the check that found it.
	Shared any
	// Room is how many bytes the blocks of the reply may still unpack to, beyond their own
	// text. Nil: as many as one block may.
	Room *int
}

// At is where the region is in the document.
func (r *Region) At() text.Span { return r.Span }

// Piece is a region that is a part of a text as it is written; see [mdblock.Piece].
func Piece(doc string, span text.Span, closed bool) *Region {
	return &Region{Block: mdblock.Piece(doc, span, closed)}
}

// Whole is a region that is all of a text.
func Whole(text string) *Region { return &Region{Block: mdblock.Whole(text)} }

// Parsed is what a block says. Where Diagnostics has an error, Set holds only
// the entries that could be understood, and must not be applied.
type Parsed struct {
	Set         intent.Set
	Diagnostics []diag.Diagnostic // spans are bytes of the body

	// How many entries the block seems to have, and of how many it is known what
	// they ask for. They differ only where Diagnostics has an error.
	Entries, Readable int

	// Summary is what the block says of itself, for the title of a preview; "" for nothing.
	Summary string

	// Batch is a line patch as it was read, without ids, and with the files and changes
	// that could be read: those of Set.Changes, and one change for each part of their only
	// step. Nil in other formats.
	Batch *protocol.Batch
}
