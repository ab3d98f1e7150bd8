package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A reader gives the lines of an open fence, each without the prefixes of the
// fence's containers. It is a value: a copy of it reads ahead.
type reader struct {
	*scanner
	fence       fence
	at          int  // where the next line starts in the host
	verbatim    bool // lines keep their indentation, see leaveItems
	closeIndent int  // the most columns that a closing fence may be indented by
}

// A row is a line inside a fence, with offsets in the host.
type row struct {
	ok    bool
	start int  // of the line
	text  int  // of the first byte of its content
	pad   int  // columns that the content begins with, of a tab at text that the prefix took a part of
	full  bool // see cursor
	end   int  // of the line, without its ending
	next  int  // of the next line
	fence bool // it looks like the closing fence, and is it if CommonMark decides alone

	unsure bool // of the closing fence: see Block.Unsure
}

// next is the next line of the fence; not ok at the end of its innermost
// container or of the document.
func (r *reader) next() row {
	if r.at >= len(r.doc) {
		return row{}
	}
	c := newCursor(r.doc, r.at)
	if r.match(&c) < len(r.stack) {
		return row{}
	}
	w := row{ok: true, start: c.start, end: c.end, next: c.next, fence: r.isClosing(&c)}
	if !r.verbatim && c.skip(r.fence.indent) < r.fence.indent {
		c.full = false
	}
	w.text, w.pad, w.full = c.at, c.pad, c.full && c.pad == 0
	r.at = c.next
	return w
}

func (r *reader) isClosing(c *cursor) bool {
	if c.indent() > r.closeIndent {
		return false
	}
	char, size, info, ok := parseFence(c.rest())
	return ok && char == r.fence.char && size >= r.fence.size && info == ""
}

// content is the row as the block's body has it, without its ending.
func (r *reader) content(w row) string {
	if w.pad == 0 {
		return r.doc[w.text:w.end]
	}
	return strings.Repeat(" ", w.pad) + r.doc[w.text+1:w.end]
}

// leaveItems mends a common mistake of models: a fence inside a list item, and
// its content at the margin, where CommonMark says that the item and with it the
// block have ended:
//
//  1. Do this:
//
//     ```json
//     {
//
// Where the first line of content is indented less than the item, and begins as
// only a block of ours does, and the fence's tag does not say otherwise, the
// fence belongs to the container that this line is in. Its content then is as
// it is written, up to a closing fence indented by at most three columns more
// than the opening one. Quotes are never left: a lost ">" is no indentation.
func (r *reader) leaveItems() {
	if n := len(r.stack); n == 0 || r.stack[n-1].quote {
		return
	}
	ahead := *r
	w := ahead.next()
	for w.ok && strings.TrimLeft(ahead.content(w), " \t") == "" {
		w = ahead.next()
	}
	if w.ok || ahead.at >= len(r.doc) {
		return
	}
	c := newCursor(r.doc, ahead.at)
	depth, indent := r.match(&c), r.fence.indent
	for _, k := range r.stack[depth:] {
		if k.quote {
			return
		}
		indent += k.width
	}
	stack, quotes := r.stack, r.quotes
	r.closeTo(depth)
	r.verbatim, r.closeIndent = true, indent+3
	if r.beginsMarked() {
		return
	}
	if f := r.begins(); f == other || (r.fence.lang != "" && f != tagged(r.fence.lang)) {
		r.stack, r.quotes = stack, quotes
		r.verbatim, r.closeIndent = false, 3
	}
}

// leftOpen is the closing of a block whose fence is still open where another block begins.
func leftOpen(next row) row { return row{start: next.start} }

// block makes the block of all rows before closing; of all that there are where
// that is not ok, and not [leftOpen].
func (r *reader) block(closing row) Block {
	b := Block{Info: r.fence.info, Lang: r.fence.lang, Fenced: true, Open: r.fence.line, Closed: closing.ok, Unsure: closing.unsure, prefix: r.prefix(), eol: r.fence.eol}
	m := hostMap{doc: r.doc}
	end := r.at
	for end != closing.start {
		w := r.next()
		if !w.ok {
			break
		}
		m.add(w)
		end = w.next
	}
	b.Body, b.lines = m.finish(end)
	b.atEnd = end == len(r.doc)
	b.Span = text.Span{Start: b.Open.Start, End: max(b.Open.End, end, closing.end)}
	return b
}

// prefix is what a new line of the block begins with in the host.
func (r *reader) prefix() string {
	var b strings.Builder
	for _, k := range r.stack {
		if k.quote {
			b.WriteString("> ")
		} else {
			b.WriteString(strings.Repeat(" ", k.width))
		}
	}
	if !r.verbatim {
		b.WriteString(strings.Repeat(" ", r.fence.indent))
	}
	return b.String()
}
