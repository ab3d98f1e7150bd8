// Package format defines the formats of edits. Each format is a package below this one and an entry in
// check.Formats, from which the command line, the language server and the tools for agents get everything about it.
// Formats never import each other.
package format

import (
	"io/fs"
	"iter"
	"sort"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Format is one way to write edits: which parts of a document it claims, how to read them, and how an editor shows
// them.
type Format struct {
	Name  string // in reports and on the command line: bundle, structured, ...
	Title string // in a sentence: "a file bundle"
	Noun  string // a block, in a code lens: "bundle" or "patch"
	// the word for the parts of a file's edits that a person can leave out, such as "hunk"; or ""
	Part string
	// Guest is true if the notation comes from other tools, so that a document may show it without meaning an edit.
	Guest bool
	// Calls is true if the blocks are calls of tools, so that the text below a block may be the result of its calls.
	Calls bool

	Claims
	Files

	// Parse reads a region that the format claims, or that a person declared to have this format.
	Parse func(r *Region) Parsed
	// Schema returns the JSON Schema of a block. It is nil if the format is not JSON.
	Schema func() *jsonschema.Schema

	Editor
}

// Claims determine which parts of a document a format claims as blocks. Text that no format claims is left alone. If
// in doubt, a format claims nothing: prose and code samples are never edits.
type Claims struct {
	// Fences are the tags, in lower case, of fenced blocks that may have the format.
	Fences []string
	// Shaped reports whether a block with a tag of Fences, or a whole file, has the format, even if the block has
	// errors. Nil means that none has it.
	Shaped func(r *Region) bool
	// Unmistakable is Shaped for a block without a tag. It must accept only a shape that no other kind of text has.
	// Nil means that no such block has the format.
	Unmistakable func(r *Region) bool
	// Find claims regions that Fences and Shaped cannot express: text without a fence, several blocks in one fence,
	// a fence with its path on the line above. It can store information from outside a region in Region.Shared. A
	// region may be inside a fence, or contain whole fences. A region is dropped if it cuts a fence in two or
	// overlaps a claim of an earlier format. Find may be nil.
	Find func(d Document) []*Region
}

// Files determines which documents are, as a whole, a single block.
type Files struct {
	// Names are the endings of file names that only this format has: ".ap", ".aptix.json".
	Names []string
	// SharedNames are endings that other kinds of files have, too, such as ".json". Such a file can be a block on
	// the command line, where a person names it, but not in an editor.
	SharedNames []string
	// Begins reports whether a text begins like a block of the format, if its file name does not show the format.
	// Nil means that no text does.
	Begins func(text string) bool
	// Language is the editors' name for the language of files in this format, or "".
	Language string
	// BesideFile is true if paths in a file of this format are relative to its folder, and not to the workspace.
	BesideFile bool
}

// A Document is a text in which formats look for blocks.
type Document struct {
	Text   string
	Reply  bool      // the text is a reply, even if it begins like documentation
	Fences []*Region // in order
	// The marks outside of fences, in order.
	Marks []mdblock.Marked
	// The parts that earlier formats claim, in order.
	Claimed []text.Span
	// The workspace; nil if no folder is open. A format uses it only to tell edits from samples.
	Tree fs.FS
	// Names returns the files of Tree by [paths.FoldedName], and whether the list is complete. It is nil if there is
	// no list.
	Names func() (named map[string][]string, all bool)
	// Meter limits the searches in the document; nil for no limit.
	Meter *meter.Meter
}

// NewDocument returns the document with the fences and marks of package mdblock.
func NewDocument(s mdblock.Structure) Document {
	fences := text.Each(s.Fences, func(b mdblock.Block) *Region { return &Region{Block: b} })
	return Document{Text: s.Text, Marks: s.Marks, Fences: fences}
}

// A Segment is a fence, or a mark outside of fences.
type Segment struct {
	Fence *Region // nil for a mark
	Mark  mdblock.Mark
	Whole bool      // the mark begins a complete block
	At    text.Span // whole lines
}

// Segments returns the fences and the marks, in order. It skips those before *read, the offset up to which the
// caller has read.
func (d Document) Segments(read *int) iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		fences, marks := d.Fences, d.Marks
		for len(fences)+len(marks) > 0 {
			var p Segment
			if len(marks) == 0 || len(fences) > 0 && fences[0].Span.Start < marks[0].Span().Start {
				p = Segment{Fence: fences[0], At: fences[0].Span}
				p.At.End = text.LineAfter(d.Text, p.At.End)
				fences = fences[1:]
			} else {
				p = Segment{Mark: marks[0].Mark, Whole: marks[0].Whole, At: marks[0].Span()}
				marks = marks[1:]
			}
			if p.At.Start >= *read && !yield(p) {
				return
			}
		}
	}
}

// FenceBelow returns the start of the first fence below an offset, or the end of the document.
func (d Document) FenceBelow(at int) int {
	i := sort.Search(len(d.Fences), func(i int) bool { return d.Fences[i].Span.Start > at })
	if i == len(d.Fences) {
		return len(d.Text)
	}
	return d.Fences[i].Span.Start
}

// IsTaken reports whether an earlier format claims some part of a span.
func (d Document) IsTaken(at text.Span) bool {
	i := sort.Search(len(d.Claimed), func(i int) bool { return d.Claimed[i].End > at.Start })
	return i < len(d.Claimed) && d.Claimed[i].Start < at.End
}

// A Region is a part of a document that may be a block.
type Region struct {
	mdblock.Block
	// Shared is the result of an earlier step: the tree of the body, which all JSON formats share, or data of Find
	// for Parse. Other steps only read it. Parse must also work if it is nil.
	Shared any
	// Room is the number of bytes that the binary patches of the reply may still produce. If it is nil, only the
	// limit for one block applies.
	Room *int
}

// At returns the region's place in the document.
func (r *Region) At() text.Span { return r.Span }

// Piece returns a region that is an unchanged part of a text; see [mdblock.Piece].
func Piece(doc string, span text.Span, closed bool) *Region {
	return &Region{Block: mdblock.Piece(doc, span, closed)}
}

// Whole returns a region that is a whole text.
func Whole(text string) *Region { return &Region{Block: mdblock.Whole(text)} }

// Parsed is the content of a block. If Diagnostics has an error, Set is incomplete and must not be applied.
type Parsed struct {
	Set         intent.Set
	Diagnostics []diag.Diagnostic // their spans are bytes of the body

	// Entries is the number of entries in the block, and Readable the number that could be read. They differ only if
	// Diagnostics has an error.
	Entries, Readable int

	// Summary is the block's own description, for the title of a preview, or "".
	Summary string

	// Undoes is the path of a file, if the block only undoes the last edit of that file; otherwise "". The block has an
	// error, which only the check of the whole reply can remove.
	Undoes string

	// Rest is the parts of the body, as whole lines, that no change covers and no diagnostic reports. It is empty in
	// a format that reports all such text.
	Rest []text.Span

	// Batch is a line patch as it was read, without ids; it is nil in other formats. It has only what could be read:
	// one file for each change in Set.Changes, and one change for each part of the only step in it.
	Batch *protocol.Batch
}

// Report adds a diagnostic with the usual severity of its code.
func (p *Parsed) Report(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.Diagnostics = append(p.Diagnostics, diag.New(code, at, message, fixes...))
}
