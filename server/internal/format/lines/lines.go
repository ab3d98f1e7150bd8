package lines

import (
	"cmp"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A file is a text cut into lines. A line ending at the end of the text does not begin another line.
type file struct {
	*place.Lines
	index func() *place.Index // by the lines without their endings
	eol   text.EOL            // of new lines
	mixed bool                // the lines have different line endings
	extra int                 // 1 if the file has an additional empty line: see emptyEnd
}

func newFile(lines *place.Lines) file {
	eol := cmp.Or(text.DominantEOL(lines.Text()), text.LF)
	index := sync.OnceValue(func() *place.Index { return lines.IndexBy(text.TrimEOL) })
	return file{Lines: lines, index: index, eol: eol, mixed: text.MixedEOL(lines.Text())}
}

func fileOf(s string, m *meter.Meter) file { return newFile(place.NewLines(s, place.AfterEOL, m)) }

// emptyEnd returns the file with an additional last line, which is empty and has no line ending. The bytes stay the
// same. This is the file after an empty line was appended to a last line without an ending.
func (f file) emptyEnd() file {
	f.extra = 1
	return f
}

func (f file) count() int { return f.Count() + f.extra }

func (f file) line(i int) string {
	if i == f.Count() {
		return ""
	}
	return text.TrimEOL(f.Line(i))
}

func (f file) start(i int) int { return f.Start(min(i, f.Count())) }

// open reports whether the last line has no line ending.
func (f file) open() bool {
	n := f.Count()
	return f.extra > 0 || n > 0 && len(f.line(n-1)) == len(f.Line(n-1))
}

func (f file) span(o op) text.Span {
	return text.Span{Start: f.start(o.first - 1), End: f.start(o.last)}
}

// has reports whether the file has the lines from line `first` on, which counts from 1 and may be outside the file.
func (f file) has(first int, lines []string) bool {
	if first < 1 || first-1+len(lines) > f.count() {
		return false
	}
	for i, line := range lines {
		if f.line(first-1+i) != line {
			return false
		}
	}
	return true
}

// only returns the place of the lines in the file, as a line number from 1. It returns 0 if there is no place or more
// than one, or if the meter is spent.
func (f file) only(lines []string) int {
	found, places := 0, 0
	whole := f.index().Find(f.index().ClassesOf(lines), func(at int) bool {
		found, places = at+1, places+1
		return places < 2
	})
	if !whole || places != 1 {
		return 0
	}
	return found
}

// edits returns the edits for changes, which must be inside the file, sorted and without overlaps. Adjacent changes
// become one edit, because the ending of a last line depends on the text below it.
func (f file) edits(ops []op) []text.Edit {
	var edits []text.Edit
	for len(ops) > 0 {
		n := 1
		for n < len(ops) && ops[n].first == ops[n-1].last+1 {
			n++
		}
		var lines []string
		for _, o := range ops[:n] {
			lines = append(lines, o.lines...)
		}
		if e := f.edit(ops[0].first-1, ops[n-1].last, lines); e.New != e.Span.In(f.Text()) {
			edits = append(edits, e)
		}
		ops = ops[n:]
	}
	return edits
}

// edit returns the edit that replaces the lines [from, to). Unchanged lines keep their endings. The file ends with a
// line ending only if it did so before.
func (f file) edit(from, to int, lines []string) text.Edit {
	e := text.Edit{Span: text.Span{Start: f.start(from), End: f.start(to)}}
	e.New = strings.Join(lines, string(f.eol))
	atEnd := to == f.count() && f.open()
	switch {
	case !atEnd && len(lines) > 0:
		e.New += string(f.eol)
	case atEnd && len(lines) == 0 && from > 0 && from < to:
		// The previous line becomes the last line of the file.
		e.Span.Start = f.start(from-1) + len(f.line(from-1))
	case atEnd && len(lines) > 0 && from == to:
		e.New = string(f.eol) + e.New
	}
	if f.mixed && len(lines) > 0 {
		e.New = diff.KeepEndingsOr(f.eol, e.Span.In(f.Text()), e.New)
	}
	return e
}

// isOf reports whether `sum`, in lower case, is the hash of a text in any known encoding, or in UTF-8 with LF
// endings. LF is for an open document, which does not show the bytes of its file.
func isOf(sum, s string) bool {
	for _, e := range []text.Encoding{text.UTF8, text.UTF8BOM, text.UTF16LE, text.UTF16BE} {
		if text.SumHex(e.Encode(s)) == sum {
			return true
		}
	}
	return text.SumHex(text.WithEOL(s, text.LF)) == sum
}
