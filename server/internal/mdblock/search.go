package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Mark is a line that separates the texts of a SEARCH/REPLACE block, a notation that
// models use by habit.
type Mark int

// The marks, in the order in which they occur in a block.
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

// MarkOf returns the mark on a line, given without its ending. A mark begins in the first
// column; an indented one is content.
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

// The lines around a patch for `apply_patch`.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

// BeginsPatch reports whether a line, without its ending, is the first one of such a patch.
// It may be indented less than code. Inside of a patch, an indented line is context: see
// [BeginsNext].
func BeginsPatch(line string) bool {
	rest := strings.TrimLeft(line, " ")
	return len(line)-len(rest) < 4 && BeginsNext(rest)
}

// BeginsNext reports whether a line inside of a patch begins another one.
func BeginsNext(line string) bool { return strings.TrimRight(line, " \t") == beginPatch }

// EndsPatch reports whether a line is the last one of such a patch.
func EndsPatch(line string) bool { return strings.TrimRight(line, " \t") == endPatch }

// marked is the state of reading a block that is recognized by its marks.
type marked interface {
	Read(line string) (over bool) // reads the next line; over: the block ends with it, or before it
	Whole() bool
}

// markedBy returns the block that a line begins, or nil.
func markedBy(line string) marked {
	switch {
	case MarkOf(line) == SearchMark:
		return &pairing{}
	case BeginsPatch(line):
		return &envelope{}
	case OpensCall(line):
		if e := (&element{tag: callTag(line)}); !e.Read(line) {
			return e
		}
	}
	if e := BeginsTagged(line); e != nil {
		return e
	}
	return nil
}

// A pairing is the state of reading one SEARCH/REPLACE block.
type pairing struct{ divided, complete bool }

func (p *pairing) Whole() bool { return p.complete }

func (p *pairing) Read(line string) (over bool) {
	switch MarkOf(line) {
	case SearchMark:
		return true
	case DivideMark:
		p.divided = true
	case ReplaceMark:
		p.complete = p.divided
		return true
	}
	return false
}

// An envelope is the state of reading one apply_patch patch.
type envelope struct{ complete bool }

func (e *envelope) Whole() bool { return e.complete }

func (e *envelope) Read(line string) (over bool) {
	e.complete = EndsPatch(line)
	return e.complete || BeginsNext(line)
}

// beginsMarked reports whether the following rows begin with a SEARCH mark, or a complete
// apply_patch patch, call in tags or file between tags. One other line, which may be a
// path, a command or a tag, may come first.
func (r reader) beginsMarked() bool {
	for range 2 {
		w := r.peek()
		for w.ok && isBlankLine(r.content(w)) {
			w = r.peek()
		}
		if !w.ok || w.fence {
			return false
		}
		line := r.content(w)
		if MarkOf(line) == SearchMark {
			return true
		}
		if m := markedBy(line); m != nil {
			ahead := r
			return ahead.skip(m)
		}
	}
	return false
}

// closeMarked takes no line between the marks of a complete block for the closing fence,
// because files contain fences, too. If a mark is missing, the block closes as CommonMark
// says. A fence of ours begins another block, and this one was left open.
func (r reader) closeMarked() row {
	for {
		w := r.next()
		if !w.ok || w.fence {
			return w
		}
		if m := markedBy(r.content(w)); m != nil {
			r.skip(m)
		} else if r.opensOurs(w) {
			return leftOpen(w)
		}
	}
}

// skip moves past the block whose first mark was read, if it is complete.
func (r *reader) skip(m marked) bool {
	ahead := *r
	for w := ahead.peek(); w.ok; w = ahead.peek() {
		if m.Read(ahead.content(w)) {
			break
		}
	}
	if m.Whole() {
		r.at = ahead.at
	}
	return m.Whole()
}

// markedOrHunk returns the block that a line outside of fences begins, or nil. A hunk in a
// fence is read by its family: see [reader.closePatch].
func markedOrHunk(line string) marked {
	if h := beginsHunk(line); h != nil {
		return h
	}
	return markedBy(line)
}

// unfenced returns the offset after a complete block that begins on the line of c, outside
// any fence and container, and is recognized by its marks, or a hunk by its counts. It
// returns false if there is none. A fence inside is content.
func (s *scanner) unfenced(c cursor) (int, bool) {
	m := markedOrHunk(c.doc[c.start:c.end])
	if m == nil || s.inComment() {
		return 0, false
	}
	for at := c.next; at < len(s.doc) && s.budget >= 0; {
		l := newCursor(s.doc, at)
		s.budget -= l.next - l.start + 1
		if m.Read(s.doc[l.start:l.end]) {
			return l.next, m.Whole()
		}
		at = l.next
	}
	return 0, false
}

// MarkedEnd returns the offset after a SEARCH/REPLACE block or apply_patch patch, complete
// or not, or a complete hunk that begins on the line at an offset. It returns false if none
// begins.
func MarkedEnd(doc string, at int) (int, bool) {
	end, next := text.LineEnd(doc, at)
	if h := beginsHunk(doc[at:end]); h != nil {
		return hunkEnd(doc, next, h)
	}
	if MarkOf(doc[at:end]) != SearchMark && !BeginsPatch(doc[at:end]) {
		return 0, false
	}
	for m := markedBy(doc[at:end]); next < len(doc); {
		at = next
		if end, next = text.LineEnd(doc, at); !m.Read(doc[at:end]) {
			continue
		}
		if MarkOf(doc[at:end]) == SearchMark || BeginsPatch(doc[at:end]) {
			return at, true
		}
		return next, true
	}
	return len(doc), true
}
