package lines

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A file is a text and its lines. A last line without an ending is a line; behind
// the last ending there is none.
type file struct {
	text   string
	lines  []string // without endings
	starts []int    // of each line in bytes, and where the text ends
	eol    text.EOL // what new lines end with
	open   bool     // the last line has no ending
	mixed  bool     // lines do not all end alike
}

func newFile(s string, eol text.EOL) file {
	f := file{text: s, eol: eol, mixed: text.MixedEOL(s), starts: []int{0}}
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		f.lines, f.starts, f.open = append(f.lines, s[at:end]), append(f.starts, next), end == next
		at = next
	}
	return f
}

// emptyEnd is the file as one whose last line is empty and has no ending, which is
// the same bytes: so it ends where an empty line becomes the last of a text that
// does not end with a line ending.
func (f file) emptyEnd() file {
	f.lines, f.starts, f.open = append(slices.Clip(f.lines), ""), append(slices.Clip(f.starts), len(f.text)), true
	return f
}

// span is the bytes of the lines of an op, endings included.
func (f file) span(o op) text.Span {
	return text.Span{Start: f.starts[o.first-1], End: f.starts[o.last]}
}

// has reports whether lines stand from line first on. It may be any number.
func (f file) has(first int, lines []string) bool {
	from := first - 1
	return from >= 0 && from+len(lines) <= len(f.lines) && slices.Equal(f.lines[from:from+len(lines)], lines)
}

// edits are those of ops, which lie in the file, are sorted and do not overlap.
// Ops with no line between them are one edit: the ending of a last line depends on
// what comes behind it.
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
		if e := f.edit(ops[0].first-1, ops[n-1].last, lines); e.New != e.Span.In(f.text) {
			edits = append(edits, e)
		}
		ops = ops[n:]
	}
	return edits
}

// edit writes others in the place of the lines from index from up to index to.
// Lines that stay keep their endings, and the file its final one or none.
func (f file) edit(from, to int, lines []string) text.Edit {
	e := text.Edit{Span: text.Span{Start: f.starts[from], End: f.starts[to]}}
	e.New = strings.Join(lines, string(f.eol))
	atEnd := f.open && to == len(f.lines)
	switch {
	case !atEnd && len(lines) > 0:
		e.New += string(f.eol)
	case atEnd && len(lines) == 0 && from > 0 && from < to:
		e.Span.Start = f.starts[from-1] + len(f.lines[from-1]) // the line before is the last one now
	case atEnd && len(lines) > 0 && from == to:
		e.New = string(f.eol) + e.New
	}
	if f.mixed && len(lines) > 0 {
		e.New = diff.KeepEndingsOr(f.eol, e.Span.In(f.text), e.New)
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
