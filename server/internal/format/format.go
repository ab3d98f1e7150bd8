// Package format defines what a format of edits is. Each format is a package below this
// one and an entry in check.Formats. The command line, the language server and the tools for
// agents take everything that they say about it from there. Formats never import each other.
package format

import (
	"io/fs"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
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

// Claims says which parts of a document a format claims. What no format claims is left
// alone. When in doubt, a format claims nothing: prose and code samples are never edits.
type Claims struct {
	// Fences are the tags of fenced blocks that may be of the format, in lower case.
	Fences []string
	// Shaped reports whether a fenced block with such a tag, or a whole file, is of the
	// format, broken or not. Nil for never.
	Shaped func(r *Region) bool
	// Unmistakable is the same for a block without a tag: only for a shape that nothing
	// else has. Nil for never.
	Unmistakable func(r *Region) bool
	// Find claims what Fences and Shaped cannot express: text without a fence, several
	// blocks in one fence, a fence with its path on the line above. It sees the whole
	// document, and can keep what it found outside a region in Region.Shared. A region
	// may be inside a fence, or hold whole fences. A region that cuts a fence in two is
	// dropped, and so is one that overlaps a claim of a format earlier in the list. Nil for a
	// format that does not need it.
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
	// Claimed are the parts that formats earlier in the list claim, in order.
	Claimed []text.Span
	// Tree is the workspace, for a format whose blocks are known only by the files that they
	// name; no other looks at it. Nil where no folder is open.
	Tree fs.FS
	// Meter pays for what a format looks for in the document. Nil: nothing bounds it.
	Meter *meter.Meter
}

// A Region is a part of a document that may be a block.
type Region struct {
	mdblock.Block
	// Shared is what was read already: the tree of the body that all JSON formats share, or
	// what Find kept for Parse. It does not change once the check is done. Parse must also
	// work without it.
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
