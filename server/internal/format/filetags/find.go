package filetags

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type finder struct {
	format.Document
	found []*format.Region
	apart bool     // other text follows the last region
	other []string // the names of the open elements that are not files
}

func find(d format.Document) []*format.Region {
	if !mdblock.HasFileTags(d.Text) {
		return nil
	}
	f, lines, read := finder{Document: d}, text.NewLines(d.Text), 0
	for p := range d.Segments(&read) {
		f.between(text.Span{Start: read, End: p.At.Start})
		read = p.At.End
		switch {
		case p.Fence != nil:
			f.fence(p)
		case p.Mark == mdblock.FileMark:
			i := lines.At(p.At.Start)
			to, whole, ok := element(f.Text, lines, i)
			read = lines.Start(max(to, i+1))
			f.element(text.Span{Start: p.At.Start, End: read}, whole, ok)
		case p.Mark == mdblock.FileEndMark && f.closesOther(p.At.In(f.Text)):
		case p.Mark == mdblock.FileEndMark:
			f.extendTo(read)
		case p.Mark == mdblock.TagMark && f.opensOther(p.At.In(f.Text)):
			f.apart = true
		case p.Mark == mdblock.SearchMark, p.Mark == mdblock.PatchMark, p.Mark == mdblock.CallMark:
			f.apart = true // the tags belong to the content of a file
		default:
			read = p.At.Start
		}
	}
	return f.found
}

// opensOther reports whether a line opens an element that is not a file, and records the element.
func (f *finder) opensOther(line string) bool {
	name := mdblock.OpensOther(text.TrimEOL(line))
	if name != "" {
		f.other = append(f.other, name)
	}
	return name != ""
}

// closesOther reports whether a line closes the last open element that is not a file.
func (f *finder) closesOther(line string) bool {
	n := len(f.other)
	if n == 0 || f.other[n-1] != mdblock.ClosingTag(text.TrimEOL(line)) {
		return false
	}
	f.other = f.other[:n-1]
	return true
}

// between records whether there is other text in a part of the document.
func (f *finder) between(at text.Span) {
	for line := range strings.Lines(at.In(f.Text)) {
		f.apart = f.apart || strings.TrimSpace(line) != "" && !isAround(line)
	}
}

func (f *finder) fence(p format.Segment) {
	holds := holds(p.Fence)
	if holds {
		f.found = append(f.found, &format.Region{Block: p.Fence.Block})
	} else if closesFirst(p.Fence.Body) {
		f.extendTo(p.At.End)
		return
	}
	f.apart = true
}

// element claims an element outside of fences. ok is true if it has a path.
func (f *finder) element(at text.Span, whole, ok bool) {
	switch {
	case !ok:
		f.apart = true
	case whole && !f.apart && len(f.found) > 0:
		f.extendTo(at.End)
	default:
		f.found, f.apart = append(f.found, format.Piece(f.Text, at, whole)), false
	}
}

// extendTo extends the last region up to an offset, because another file follows immediately, or because an extra
// closing tag suggests that a file's text ended too early.
func (f *finder) extendTo(to int) {
	if n := len(f.found); n > 0 {
		last := f.found[n-1]
		f.found[n-1] = format.Piece(f.Text, text.Span{Start: last.Span.Start, End: to}, last.Closed)
	}
}

// closesFirst reports whether a text has a closing tag without its opening tag.
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

// holds reports whether a fence begins with an element, or with a tag around elements. It returns false for a long
// fence and for a Markdown fence, which only show a sample.
func holds(r *format.Region) bool {
	if r.Kind() == mdblock.Markdown || r.IsLong() {
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
