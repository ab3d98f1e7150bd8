// Package mdblock finds the blocks of a host document: the fenced code blocks of a Markdown reply, or a whole file that
// is one block.
//
// Models nest fences wrongly. Therefore the content of a block also determines where the block closes. Only the formats
// decide which blocks are edits.
package mdblock

import "github.com/aptix-dev/aptix/server/internal/text"

// A Block is one fenced code block, or another part of a host document.
type Block struct {
	Info   string // the opening fence's info string; "" if there is none
	Lang   string // the first word of Info in lower case
	Mark   string // the characters of the opening fence; "" if there is none
	Fenced bool   // the block is the content of a fence, not a literal part of the host
	// the line of the opening fence in the host, without its ending; the first line if there is no
	// fence
	Open text.Span
	Span text.Span // the whole block in the host, including both fences
	// Body is the content according to CommonMark: the text between the fences, including the line
	// ending before the closing fence. It lacks the prefixes of lists, quotes and indented fences.
	Body   string
	Unsure bool // the closing fence may be a line of the content, which then continues below
	// Page is true if the code has no fences because it was copied from a web page. If so, the end of the block is a
	// guess, and Open has the labels above the code.
	Page   bool
	Closed bool // false if the closing fence is missing: the reply is still being written, or was cut off

	lines  []line // where the lines of Body are in the host; nil if Body is literally a part of the host
	prefix string // prefix of a new line in the host, such as "> " or three spaces
	eol    string
	atEnd  bool // Body ends at the end of the host
}

// Whole returns a block that consists of all of doc.
func Whole(doc string) Block { return Piece(doc, text.Span{Start: 0, End: len(doc)}, true) }

// Piece returns a block that is literally a part of doc and consists of whole lines, including any fences. If `closed`
// is false, the block may still be growing.
func Piece(doc string, span text.Span, closed bool) Block {
	end, _ := text.LineEnd(doc, span.Start)
	return Block{Open: text.Span{Start: span.Start, End: min(end, span.End)}, Span: span, Body: span.In(doc), Closed: closed}
}

// IsLong reports whether the fence of a block has four or more characters.
func (b Block) IsLong() bool { return len(b.Mark) > 3 }

// A Structure lists the parts of a document other than prose.
type Structure struct {
	Text   string   // the document, with spaces in place of thoughts
	Fences []Block  // the blocks in fences, in order
	Marks  []Marked // marks outside of fences and of complete blocks, in order
	Coded  []Block  // indented code, in order; formats do not read it
	// Hidden has the thoughts and comments, which readers of the document do not see, and the results of calls, which
	// the model did not write; in order.
	Hidden []text.Span
}

// Read returns the structure of a document.
func Read(doc string) Structure {
	s := Structure{Text: doc}
	if end := thoughtsEnd(doc); end > 0 {
		s.Text, s.Hidden = blank(doc, end), []text.Span{{End: end}}
	}
	found := scan(s.Text)
	s.Fences, s.Marks, s.Coded, s.Hidden = found.found, found.marks, found.coded, append(s.Hidden, found.hidden...)
	return s
}
