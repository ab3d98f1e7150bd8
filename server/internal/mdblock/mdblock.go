// Package mdblock finds the blocks of a host document: the fenced code blocks of a
// Markdown reply, or a whole file that is one block.
//
// It knows how a block of each family *closes*, because models nest fences
// wrongly, but not what a block means: which blocks are ours is the formats'
// question.
package mdblock

import "github.com/aptix-dev/aptix/server/internal/text"

// A Block is one fenced code block, or another part of a host document.
type Block struct {
	Info   string    // the opening fence's info string; "" for none
	Lang   string    // the first word of Info in lower case
	Fenced bool      // false for a piece of the host that is not what a fence holds
	Open   text.Span // the opening fence's line in the host, without its ending; without a fence the first line
	Span   text.Span // the whole block in the host, both fences included
	Body   string    // the content as CommonMark has it: between the fences, line endings as they are, with that before the closing fence, and the prefixes of lists, quotes and indented fences taken off
	Unsure bool      // the closing fence may be one of the content, which then goes on below
	Closed bool      // false while the closing fence is missing: the reply is still being written, or was cut off

	lines  []line // where Body's lines are in the host; nil where Body is the host's text itself
	prefix string // what a new line needs before it in the host, such as "> " or three spaces
	eol    string // what ends a new line
	atEnd  bool   // nothing follows Body in the host
}

// Whole is the block that is all of doc.
func Whole(doc string) Block { return Piece(doc, text.Span{Start: 0, End: len(doc)}, true) }

// Piece is the block that is a part of doc as it is written, fences and all: whole lines.
// closed is whether it is complete, or still being written.
func Piece(doc string, span text.Span, closed bool) Block {
	end, _ := text.LineEnd(doc, span.Start)
	return Block{Open: text.Span{Start: span.Start, End: min(end, span.End)}, Span: span, Body: span.In(doc), Closed: closed}
}
