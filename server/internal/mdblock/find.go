package mdblock

import (
	"math"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Find returns every fenced code block of a Markdown document, in order and in any language.
//
// Fences, and the containers around them, follow CommonMark 0.31, with these exceptions:
//
//   - The content of a block may affect where the block closes (see family), and in which list item it is (see
//     [reader.leaveItems]).
//   - A fence inside a complete block with its own marks is content (see [scanner.marked]), and so is one inside the
//     result of a call (see [scanner.result]).
//   - Code that was copied from a web page is a block without a fence (see [scanner.page]).
//
// If a block ends only because the document or its container ends, its Closed is false. The time is linear in the
// length of doc. In a document of 2 GiB or more, Find finds no blocks.
func Find(doc string) []Block { return scan(doc).found }

func scan(doc string) *scanner {
	s := &scanner{doc: doc, budget: 4*len(doc) + 1<<16}
	if len(doc) > math.MaxInt32 {
		return s
	}
	for at := 0; at < len(doc); {
		next := s.step(newCursor(doc, at))
		s.comment(at, next)
		s.code(at)
		at = next
	}
	s.endCode()
	return s
}

// A scanner has the state of CommonMark's block structure between two lines. Leaf blocks contain no other blocks, so
// the scanner keeps only the facts about them that affect the next line. An open fence needs no state, because a
// [reader] reads all of its lines together.
type scanner struct {
	doc    string
	stack  []container // the open block quotes and list items, outermost first
	quotes []int       // the indexes of the quotes in stack
	leaf   leaf        // the leaf block that the last line left open in the innermost container
	// the texts that end the open HTML block; nil if a blank line ends it
	htmlEnd []string
	noBreak int // no thematic break begins before this offset
	budget  int // the number of bytes that may still be read ahead; see closing.go
	found   []Block
	marks   []Marked
	hidden  []text.Span // the HTML comments of more than one line, and the results of calls
	open    bool        // the last HTML comment has not ended
	coded   []Block     // the blocks of indented code
	rows    *hostMap    // the rows of the open indented code; nil if none is open
}

type container struct {
	quote bool
	width int  // the indentation of an item's content, in columns
	empty bool // true while an item consists only of its marker
}

type leaf int

const (
	noLeaf leaf = iota
	paragraph
	indentedCode
	htmlBlock
)

// step reads the line of the cursor, or the whole block if a fenced block begins on the line. It returns the offset
// after the line or the block.
func (s *scanner) step(c cursor) int {
	if next, ok := s.result(c); ok {
		s.closeTo(0)
		return next
	}
	if next, ok := s.marked(c); ok {
		s.closeTo(0)
		return next
	}
	depth := s.match(&c)
	if depth == len(s.stack) && s.continuesLeaf(&c) {
		return c.next
	}
	if next, ok := s.page(c, depth); ok {
		s.closeTo(0)
		return next
	}
	for !c.blank() && !(c.indent() >= 4 && s.leaf == paragraph) {
		inParagraph := s.leaf == paragraph && depth == len(s.stack)
		if k, ok := s.startContainer(&c, inParagraph); ok {
			s.closeTo(depth)
			s.push(k)
			depth = len(s.stack)
			continue
		}
		if f, ok := openFence(&c); ok {
			s.closeTo(depth)
			return s.fenced(f, c)
		}
		if opened, ok := s.startLeaf(&c, inParagraph); ok {
			s.closeTo(depth)
			s.leaf = opened
			return c.next
		}
		break
	}
	s.text(&c, depth)
	return c.next
}

// text handles a line that does not begin a block: a blank line, or a line of a paragraph. A line of a paragraph may be
// a lazy continuation, which leaves all containers open.
func (s *scanner) text(c *cursor, depth int) {
	if s.leaf == paragraph && !c.blank() {
		return
	}
	s.closeTo(depth)
	if !c.blank() {
		s.leaf = paragraph
	}
}

// closeTo closes the leaf block and all containers except the outermost `depth`.
func (s *scanner) closeTo(depth int) {
	s.stack = s.stack[:depth]
	for len(s.quotes) > 0 && s.quotes[len(s.quotes)-1] >= depth {
		s.quotes = s.quotes[:len(s.quotes)-1]
	}
	s.leaf = noLeaf
}

func (s *scanner) push(k container) {
	if k.quote {
		s.quotes = append(s.quotes, len(s.stack))
	}
	s.stack = append(s.stack, k)
}
