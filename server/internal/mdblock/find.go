package mdblock

import "math"

// Find returns every fenced code block of a Markdown document, in its order and
// whatever its language. Whose block it is, is for others to say.
//
// Fences, and the containers around them, are those of CommonMark 0.31, except
// that the blocks of our families close by their content too (see closing.go).
// A fence inside the content of another is content. A block that the end of the
// document or of its container ends has Closed false.
//
// The time is linear in the length of doc, whatever it holds. A document of
// 2 GiB or more has no blocks.
func Find(doc string) []Block {
	if len(doc) > math.MaxInt32 {
		return nil
	}
	s := newScanner(doc)
	for at := 0; at < len(doc); {
		at = s.step(newCursor(doc, at))
	}
	return s.found
}

func newScanner(doc string) *scanner { return &scanner{doc: doc, budget: 4*len(doc) + 1<<16} }

// A scanner is the state of CommonMark's block structure between two lines. Of
// leaf blocks it keeps only what decides how the next line is read. An open
// fence is no state: its lines are read at once, by a [reader].
type scanner struct {
	doc     string
	stack   []container // the open block quotes and list items, outermost first
	quotes  []int       // where in stack the quotes are
	leaf    leaf        // what the last line left open in the innermost of them
	htmlEnd []string    // of an open htmlBlock: what ends it; none for a blank line
	noBreak int         // no thematic break begins before this offset
	budget  int         // bytes that may still be read ahead, see closing.go
	found   []Block
}

// A container is a block quote, or a list item. The list around items needs no
// state of its own: where an item may begin does not depend on it.
type container struct {
	quote bool
	width int  // of an item: the columns that its content is indented by
	empty bool // of an item: it has nothing but its marker yet
}

type leaf int

const (
	noLeaf leaf = iota
	paragraph
	indentedCode
	htmlBlock
)

// step reads the line of c, and all of a fenced block that begins on it. It
// returns the offset after what it read.
func (s *scanner) step(c cursor) int {
	if next, ok := s.unfenced(c); ok {
		s.closeTo(0)
		return next
	}
	depth := s.match(&c)
	if depth == len(s.stack) && s.continuesLeaf(&c) {
		return c.next
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

// text ends a line that begins no block: a blank one, or one of a paragraph,
// which may be a lazy continuation and then leaves all containers open.
func (s *scanner) text(c *cursor, depth int) {
	if s.leaf == paragraph && !c.blank() {
		return
	}
	s.closeTo(depth)
	if !c.blank() {
		s.leaf = paragraph
	}
}

// closeTo ends all containers but the outermost depth, and the leaf.
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
