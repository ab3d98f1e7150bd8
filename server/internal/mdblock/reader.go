package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A reader returns the lines of an open fence, each without the prefixes of the fence's containers.
// It is a value, so that a copy of a reader can read ahead.
type reader struct {
	*scanner
	fence       fence
	at          int  // start of the next line in the host
	verbatim    bool // lines keep their indentation, as leaveItems explains
	closeIndent int  // the largest indentation of a closing fence, in columns
}

// A row is a line inside a fence, with offsets in the host.
type row struct {
	ok    bool
	start int // start of the line
	text  int // first byte of its content
	// pad is the number of columns of the tab at `text` that belong to the content. The other
	// columns of this tab belong to the prefix.
	pad   int
	full  bool // as in [cursor]
	end   int  // end of the line, without its ending
	next  int  // start of the next line
	fence bool // the row is the closing fence according to CommonMark

	unsure bool // if this row is the closing fence, the block is [Block.Unsure]
}

// next returns the next line of the fence. The field ok of the row is false at the end of the innermost container or
// of the document.
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
	return ok && char == r.fence.char && size >= r.fence.size && (info == "" || turnMark.MatchString(info))
}

// turnMark matches the special token with which the template of a model ends a call or a turn. A log may have it directly
// behind a closing fence, with the result of the call on the same line. Other templates end it with a tag alone: `<end_code>`.
var turnMark = lazyregexp.New(`^(?:<[|｜][^<>|｜\s]{1,40}[|｜]>|</?[a-z_]{1,40}>$)`)

// content returns the row's text in the block's body, without its ending.
func (r *reader) content(w row) string {
	if w.pad == 0 {
		return r.doc[w.text:w.end]
	}
	return strings.Repeat(" ", w.pad) + r.doc[w.text+1:w.end]
}

// leaveItems corrects a common mistake of models: a fence is inside a list item, but its content is at the margin.
// According to CommonMark, the content ends the item, and the block ends with the item:
//
// 1. Do this:
//
// ```json {
//
// leaveItems moves the fence to the container of the first line of content. This line must be indented less than the
// item and begin a JSON, patch or ap block, and the fence must have no tag or the tag of that block. If so, the content
// is taken literally, up to a closing fence that is indented by at most three columns more than the opening one.
// leaveItems never leaves a quote, because a missing ">" is not a matter of indentation.
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

// leftOpen returns a closing row for a block that was left open because another block begins at the row `next`.
func leftOpen(next row) row { return row{start: next.start} }

// block returns the block of all rows before `closing`. If `closing` is neither ok nor made by [leftOpen], the block
// has all rows up to the end.
func (r *reader) block(closing row) Block {
	b := Block{Mark: strings.Repeat(string(r.fence.char), r.fence.size), Info: r.fence.info, Lang: r.fence.lang, Fenced: true, Open: r.fence.line, Closed: closing.ok, Unsure: closing.unsure, prefix: r.prefix(), eol: r.fence.eol}
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
