package lines

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A file is the lines of a text, by an index from 0. A last line without an ending is a
// line; after the last ending there is none.
type file struct {
	*locate.Lines
	index func() *locate.Index // of lines without their endings
	eol   text.EOL             // what new lines end with
	mixed bool                 // lines do not all end alike
	extra int                  // 1 for a file with one line more, see emptyEnd
}

func newFile(lines *locate.Lines) file {
	eol := text.DominantEOL(lines.Text())
	if eol == text.None {
		eol = text.LF
	}
	index := sync.OnceValue(func() *locate.Index { return lines.IndexBy(text.TrimEOL) })
	return file{Lines: lines, index: index, eol: eol, mixed: text.MixedEOL(lines.Text())}
}

func fileOf(s string, m *meter.Meter) file { return newFile(locate.NewLines(s, locate.AfterEOL, m)) }

// emptyEnd is the file as one whose last line is empty and has no ending, which is
// the same bytes: so it ends where an empty line becomes the last of a text that
// does not end with a line ending.
func (f file) emptyEnd() file {
	f.extra = 1
	return f
}

func (f file) count() int { return f.Count() + f.extra }

// line is one without its ending.
func (f file) line(i int) string {
	if i == f.Count() {
		return ""
	}
	return text.TrimEOL(f.Line(i))
}

func (f file) start(i int) int { return f.Start(min(i, f.Count())) }

// open reports whether the last line has no ending.
func (f file) open() bool {
	n := f.Count()
	return f.extra > 0 || n > 0 && len(f.line(n-1)) == len(f.Line(n-1))
}

// span is the bytes of the lines of an op, endings included.
func (f file) span(o op) text.Span {
	return text.Span{Start: f.start(o.first - 1), End: f.start(o.last)}
}

// has reports whether lines are in the file from line first on, which may be any number.
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

// only is the first line, from 1, of the only place where lines are; 0 where there is no
// such place, or the meter is spent.
func (f file) only(lines []string) int {
	classes := make([]int32, len(lines))
	for i, line := range lines {
		if classes[i] = f.index().Class(line); classes[i] < 0 {
			return 0
		}
	}
	found, places := 0, 0
	whole := f.index().Find(classes, 0, func(at int) bool {
		found, places = at+1, places+1
		return places < 2
	})
	if !whole || places != 1 {
		return 0
	}
	return found
}

// edits are those of ops, which lie in the file, are sorted and do not overlap.
// Ops with no line between them are one edit: the ending of a last line depends on
// what comes after it.
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

// edit writes others in the place of the lines from index from up to index to.
// Lines that stay keep their endings, and the file its final one or none.
func (f file) edit(from, to int, lines []string) text.Edit {
	e := text.Edit{Span: text.Span{Start: f.start(from), End: f.start(to)}}
	e.New = strings.Join(lines, string(f.eol))
	atEnd := to == f.count() && f.open()
	switch {
	case !atEnd && len(lines) > 0:
		e.New += string(f.eol)
	case atEnd && len(lines) == 0 && from > 0 && from < to:
		e.Span.Start = f.start(from-1) + len(f.line(from-1)) // the line before is the last one now
	case atEnd && len(lines) > 0 && from == to:
		e.New = string(f.eol) + e.New
	}
	if f.mixed && len(lines) > 0 {
		e.New = diff.KeepEndingsOr(f.eol, e.Span.In(f.Text()), e.New)
	}
	return e
}

// IsOf reports whether a hash, in lower case, is that of a text: as the bytes of a file in any
// encoding, and as UTF-8 without a byte order mark with its own endings, or with
// LF. An open document does not show which bytes its file has.
func IsOf(sum, s string) bool {
	for _, e := range []text.Encoding{text.UTF8, text.UTF8BOM, text.UTF16LE, text.UTF16BE} {
		if sumOf(e.Encode(s)) == sum {
			return true
		}
	}
	return sumOf(text.WithEOL(s, text.LF)) == sum
}

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
