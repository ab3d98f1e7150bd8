package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A verb is the operation that the words beside a path name for its file.
type verb int

const (
	shown verb = iota // none: there is only the path
	created
	updated
	deleted
	renamed
)

// A located is a path with its place in a text. If no fix may write there, the span is
// empty.
type located struct {
	path string
	span text.Span
}

// An entry is one file that a text shows, deletes or renames. Spans are bytes of the text.
type entry struct {
	verb     verb
	label    bool // a label says so, such as `New file:`
	path, to located
	other    string         // a different path that the text beside the fence names, too
	fence    *format.Region // nil for a heading alone
	content  text.Span      // of the file's text
	written  bool           // it has one
	part     text.Span      // of the fence's text; it can have the path above it, or other files around it
	open     bool           // a heading that is still being written
	said     bool           // only a sentence names the path, or a heading farther above
	at       text.Span
	line     text.Span // the line that says so; empty if it is in the fence
	problem  problem
}

// shift returns the entry with spans relative to a part of its text that begins at an
// offset.
func (e entry) shift(start int) entry {
	for _, s := range []*text.Span{&e.path.span, &e.to.span, &e.content, &e.at, &e.line} {
		if *s != (text.Span{}) {
			*s = s.Shift(-start)
		}
	}
	return e
}

// entries returns the files of a text, in order, as far as its words show them. Fences that
// are taken belong to another format.
func entries(doc string, fences []*format.Region, taken func(*format.Region) bool) []entry {
	var found []entry
	from := 0
	for i, f := range fences {
		found = append(found, headings(doc, from, f.Span.Start)...)
		if !taken(f) {
			found = addFence(found, doc, from, f)
		}
		if n := len(found); n > 0 && found[n-1].fence == f && found[n-1].problem == fine {
			found[n-1].problem = problemOf(doc, found[n-1], fences[i+1:])
		}
		from = f.Span.End
	}
	return append(found, headings(doc, from, len(doc))...)
}

// addFence adds the file in a fence. Below a rename, the fence contains the new text of
// that file; below a deletion, it is no file.
func addFence(found []entry, doc string, from int, f *format.Region) []entry {
	if n := len(found); n > 0 && found[n-1].fence == nil && found[n-1].line == reply.LineAbove(doc, from, f.Open.Start) {
		if to := found[n-1].to.path; to != "" && reply.MayBeText(&f.Block, to) {
			return append(found, entry{verb: updated, label: true, path: located{path: to}, part: text.Span{End: len(f.Body)}}.with(doc, f))
		}
		return found
	}
	if all := sections(doc, f); all != nil {
		return append(found, all...)
	}
	if e, ok := fenced(doc, from, f); ok {
		found = append(found, e)
	}
	return found
}

// sections returns the files of a fence that has several.
func sections(doc string, f *format.Region) []entry {
	if reply.MayBeText(&f.Block, "") && !hasMarks(f.Body) {
		var found []entry
		for _, s := range reply.Sections(f.Body) {
			e := entry{path: located{path: s.Path}, part: s.Text, problem: several}
			found = append(found, e.with(doc, f))
		}
		return found
	}
	return nil
}

// with returns the entry with the text of a fence.
func (e entry) with(doc string, f *format.Region) entry {
	e.fence, e.written = f, true
	e.at = text.Span{Start: min(e.at.Start, f.Span.Start), End: f.Span.End}
	if e.line.Empty() {
		e.at.Start = f.Span.Start
	}
	if _, next := text.LineEnd(doc, f.Open.Start); strings.HasPrefix(doc[next:], f.Body) {
		e.content = e.part.Shift(next)
	}
	return e
}

// text is the file's.
func (e entry) text() string { return e.part.In(e.fence.Body) }

// verbatim reports whether the text of the fence is as the document has it, without
// prefixes of containers.
func (e entry) verbatim(doc string) bool {
	return e.fence == nil || e.content.In(doc) == e.text() && (e.fence.Open.Start == 0 || strings.ContainsRune("\r\n", rune(doc[e.fence.Open.Start-1])))
}

// operations maps what a label says to the operation on its file.
var operations = map[reply.Verb]verb{reply.Create: created, reply.Change: updated}

// fenced returns the file in a fence. It returns false if there is none.
func fenced(doc string, from int, f *format.Region) (entry, bool) {
	b := reply.FileOf(doc, from, &f.Block)
	if b.Path == "" || !reply.MayBeText(&f.Block, b.Path) || hasMarks(f.Body) {
		return entry{}, false
	}
	e := entry{verb: operations[b.Says], label: b.Label, path: located{b.Path, b.At}, other: b.Other, part: text.Span{Start: b.Skip, End: len(f.Body)}}
	switch b.Where {
	case reply.InSentence, reply.InHeading: // the files decide whether it is one (rule W15)
		e.said, e.path.span = true, zero
	case reply.FirstLine, reply.InComment:
		if b.Where == reply.FirstLine {
			e.problem = firstLine
		} else if b.Skip > 0 {
			e.line, e.at = f.HostSpan(text.Span{End: b.Skip}), f.Span
		}
	default:
		e.line, e.at = b.Line, b.Line
	}
	return e.with(doc, f), true
}
