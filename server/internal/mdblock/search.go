package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A Mark is a line of a SEARCH/REPLACE block that is not part of a text: models write
// such blocks by habit.
type Mark int

// The marks, in the order in which a block has them.
const (
	NoMark      Mark = iota
	SearchMark       // <<<<<<< SEARCH
	DivideMark       // =======
	ReplaceMark      // >>>>>>> REPLACE
)

var (
	searchMark  = lazyregexp.New(`^(?:<{5,9} ?(?:SEARCH|ORIGINAL)|-{5,9} ?SEARCH)>?[ \t]*$`)
	divideMark  = lazyregexp.New(`^={5,9}[ \t]*$`)
	replaceMark = lazyregexp.New(`^(?:>{5,9} ?(?:REPLACE|UPDATED)|\+{5,9} ?REPLACE)<?[ \t]*$`)
)

// MarkOf is the mark that a line, without its ending, is. A mark begins in the first
// column: what is indented is content.
func MarkOf(line string) Mark {
	if len(line) < 5 || strings.IndexByte("<-=>+", line[0]) < 0 {
		return NoMark
	}
	switch {
	case searchMark.MatchString(line):
		return SearchMark
	case divideMark.MatchString(line):
		return DivideMark
	case replaceMark.MatchString(line):
		return ReplaceMark
	}
	return NoMark
}

// A pairing is how far the marks of one SEARCH/REPLACE block have come.
type pairing struct {
	divided, complete, broken bool
}

// read takes the next line; over says that no other line belongs to the block.
func (p *pairing) read(line string) (over bool) {
	switch MarkOf(line) {
	case SearchMark:
		p.broken = true
	case DivideMark:
		p.divided = true
	case ReplaceMark:
		p.complete, p.broken = p.divided, !p.divided
	}
	return p.complete || p.broken
}

// beginsSearch reports whether the rows to come begin with a SEARCH mark, or have one
// below a line that may be a path.
func (r reader) beginsSearch() bool {
	for range 2 {
		w := r.peek()
		for w.ok && isBlankLine(r.content(w)) {
			w = r.peek()
		}
		if !w.ok || w.fence {
			return false
		}
		if MarkOf(r.content(w)) == SearchMark {
			return true
		}
	}
	return false
}

// closeSearch takes no line between the marks of a complete block for the closing fence:
// files have fences too. A block that lacks a mark closes as CommonMark says.
func (r reader) closeSearch() row {
	for {
		w := r.next()
		if !w.ok || w.fence {
			return w
		}
		if MarkOf(r.content(w)) == SearchMark {
			r.skipPair()
		}
	}
}

// skipPair goes behind the SEARCH/REPLACE block whose first mark was read, if it is complete.
func (r *reader) skipPair() {
	ahead, p := *r, pairing{}
	for w := ahead.peek(); w.ok; w = ahead.peek() {
		if p.read(ahead.content(w)) {
			break
		}
	}
	if p.complete {
		r.at = ahead.at
	}
}

// unfencedPair is the offset behind a complete SEARCH/REPLACE block that begins on the line
// of c outside any fence and container; false where none does. A fence in it is content.
func (s *scanner) unfencedPair(c cursor) (int, bool) {
	if MarkOf(c.doc[c.start:c.end]) != SearchMark || s.leaf == htmlBlock && len(s.htmlEnd) > 0 && s.htmlEnd[0] == "-->" {
		return 0, false
	}
	p := pairing{}
	for at := c.next; at < len(s.doc) && s.budget >= 0; {
		l := newCursor(s.doc, at)
		s.budget -= l.next - l.start + 1
		if p.read(s.doc[l.start:l.end]) {
			return l.next, p.complete
		}
		at = l.next
	}
	return 0, false
}
