package filetags

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A finder reads a document line by line.
type finder struct {
	format.Document
	lines  *text.Lines
	fences []*format.Region // from the current line on
	found  []*format.Region
	apart  bool // something comes after the last region
}

// find claims fences that contain elements, and runs of elements outside of fences.
func find(d format.Document) []*format.Region {
	if !mdblock.HasFileTags(d.Text) {
		return nil
	}
	f := finder{Document: d, lines: text.NewLines(d.Text), fences: d.Fences}
	for i := 0; i < f.lines.Count(); {
		i = f.line(i)
	}
	return f.found
}

// line reads the block that begins on a line, and returns the line after it.
func (f *finder) line(i int) int {
	if r, next := f.fence(i); r != nil {
		switch {
		case holds(f.Text, r):
			f.found, f.apart = append(f.found, &format.Region{Block: r.Block}), true
		case closesFirst(r.Body):
			f.goesOn(next)
		default:
			f.apart = true
		}
		return next
	}
	if next, ok := f.marked(i); ok {
		f.apart = true
		return next
	}
	line := f.lines.Line(i).In(f.Text)
	to, whole, ok := element(f.Text, f.lines, i)
	switch {
	case ok && whole && !f.apart && len(f.found) > 0:
		f.goesOn(to)
	case ok:
		f.found = append(f.found, format.Piece(f.Text, text.Span{Start: f.lines.Start(i), End: f.lines.Start(to)}, whole))
		f.apart = false
	case mdblock.ClosingTag(line) != "":
		f.goesOn(i + 1)
	case strings.TrimSpace(line) != "" && !isAround(line):
		f.apart = true
	}
	return max(to, i+1)
}

// goesOn extends the last region up to a line, because a file follows immediately, or
// because a superfluous closing tag shows that a text before it may have ended too early.
func (f *finder) goesOn(to int) {
	if n := len(f.found); n > 0 {
		last := f.found[n-1]
		f.found[n-1] = format.Piece(f.Text, text.Span{Start: last.Span.Start, End: f.lines.Start(to)}, last.Closed)
	}
}

// marked returns the line after a block of another format that begins on a line and is
// recognized by its marks, complete or not, because tags in it are content of files.
func (f *finder) marked(i int) (next int, ok bool) {
	at := f.lines.Start(i)
	end, ok := mdblock.MarkedEnd(f.Text, at)
	if !ok && mdblock.OpensCall(f.lines.Line(i).In(f.Text)) {
		end, _ = mdblock.CallEnd(f.Text, at)
		ok = true
	}
	if !ok {
		return i, false
	}
	return max(i+1, f.lines.At(end-1)+1), true
}

// fence returns the fenced block that begins on a line or around it, and the line after it,
// or nil.
func (f *finder) fence(i int) (r *format.Region, next int) {
	for len(f.fences) > 0 && f.fences[0].Span.End <= f.lines.Start(i) {
		f.fences = f.fences[1:]
	}
	if len(f.fences) == 0 || f.fences[0].Span.Start >= f.lines.Start(i+1) {
		return nil, i
	}
	for next = i + 1; next < f.lines.Count() && f.lines.Start(next) < f.fences[0].Span.End; {
		next++
	}
	return f.fences[0], next
}

// closesFirst reports whether a text closes an element that it does not open.
func closesFirst(body string) bool {
	depth := 0
	for line := range strings.Lines(body) {
		switch line = text.TrimEOL(line); {
		case mdblock.BeginsTagged(line) != nil:
			depth++
		case mdblock.ClosingTag(line) != "":
			depth--
		}
		if depth < 0 {
			return true
		}
	}
	return false
}

// holds reports whether a fence contains elements: it begins with one, or with a tag around
// them. A longer fence, or one of Markdown, shows a sample.
func holds(doc string, r *format.Region) bool {
	if r.Kind() == mdblock.Markdown || r.IsLong(doc) {
		return false
	}
	lines := text.NewLines(r.Body)
	for i := range lines.Count() {
		line := lines.Line(i).In(r.Body)
		if strings.TrimSpace(line) == "" || isAround(line) {
			continue
		}
		_, _, ok := element(r.Body, lines, i)
		return ok
	}
	return false
}
