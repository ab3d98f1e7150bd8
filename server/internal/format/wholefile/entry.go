package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A verb is the operation on a file, by the words next to its path.
type verb int

const (
	shown verb = iota // only the path, without words
	created
	updated
	deleted
	renamed
)

// A located is a path and its span, which is empty if no fix should change the path.
type located struct {
	path string
	span text.Span
}

// An entry is a file that a text shows, deletes or renames. Its spans are bytes of the text.
type entry struct {
	verb     verb
	label    bool // a label such as `New file:` gives the operation
	inInfo   bool // the info string of the fence has the path
	saves    bool // the info string is the command `save` with the path
	path, to located
	other    string         // another path that the text next to the fence has, or ""
	fence    *format.Region // the fence with the file's text; nil if the entry is only a heading
	content  text.Span      // the file's text
	written  bool           // the entry has a text for its file
	// the file's text in the fence
	part     text.Span
	about    []string   // the names in code marks above the fence
	open     bool       // the heading may still grow
	comment  string     // the comment in the text that names the file, if nothing else does
	mayBegin bool       // the line in the fence that names the file may be the file's first line
	said     bool       // only a sentence, or a heading farther above, names the path
	saidAt   text.Span  // the path in the sentence
	heads    bool       // the path labels the section that begins with the fence
	under    string     // another path, which labels the section of the sentence; "" if there is none
	brief    text.Span  // the sentence with the path, if it has few other words; otherwise empty
	asks     reply.Verb // the operation that the sentence requests
	// the text cannot be the whole file: it follows another fence for the file, or its path has a range of lines
	partOnly bool
	isPart   bool // a comparison with the file shows that the text is a part of it
	at       text.Span
	line     text.Span // the line with the path; empty if this line is in the fence
	inText   text.Span // the path in the fence's text, if only the text has it
	inWords  bool      // a sentence requests deleting or renaming the file
	step     *sentence // the edit that a sentence describes, or nil
	problem  problem
}

// shift makes the spans of an entry relative to the offset `start`.
func (e entry) shift(start int) entry {
	for _, s := range []*text.Span{&e.path.span, &e.to.span, &e.content, &e.at, &e.line} {
		if *s != (text.Span{}) {
			*s = s.Shift(-start)
		}
	}
	return e
}

// entries returns the files that a text shows, deletes or renames, in order. `taken` reports whether a fence belongs
// to another format.
func entries(doc string, fences []*format.Region, taken func(*format.Region) bool, m *meter.Meter) []entry {
	var found []entry
	from := 0
	for i, f := range fences {
		found = append(found, headings(doc, from, f.Span.Start, m)...)
		if !taken(f) {
			found = addFence(found, doc, from, f)
		}
		if n := len(found); n > 0 && found[n-1].fence == f && found[n-1].problem == fine {
			found[n-1].problem = problemOf(found[n-1], fences[i+1:])
		}
		from = f.Span.End
	}
	return append(found, headings(doc, from, len(doc), m)...)
}

// addFence adds the file in a fence. If the line above renames a file, the fence has that file's new text. If the
// line above deletes a file, the fence is not for a file.
func addFence(found []entry, doc string, from int, f *format.Region) []entry {
	if n := len(found); n > 0 && found[n-1].fence == nil && found[n-1].line == reply.LineAbove(doc, from, f.Open.Start) && !(found[n-1].inWords && found[n-1].verb == deleted) {
		if to := found[n-1].to.path; to != "" && reply.MayBeText(&f.Block, to) {
			return append(found, entry{verb: updated, label: true, path: located{path: to}, part: text.Span{End: len(f.Body)}}.with(doc, f))
		}
		return found
	}
	if all := sections(doc, f); all != nil {
		return append(found, all...)
	}
	if e, ok := fenced(doc, from, f); ok {
		return append(found, e)
	}
	return addNext(found, doc, from, f)
}

// addNext adds a fence without a path as another change to the file of the preceding fence, if the sentence above
// requests a change and both fences are in the same section.
func addNext(found []entry, doc string, from int, f *format.Region) []entry {
	if len(found) == 0 {
		return found
	}
	last := found[len(found)-1]
	asks, ok := reply.Continues(doc, from, &f.Block)
	if !ok || last.fence == nil || last.at.End != from || hasMarks(f.Body) || !reply.MayBeText(&f.Block, last.path.path) {
		return found
	}
	return append(found, entry{path: located{path: last.path.path}, part: text.Span{End: len(f.Body)}, said: true, asks: asks, partOnly: true}.with(doc, f))
}

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

func (e entry) isInFence() bool {
	return e.fence != nil && e.line == zero && !e.label && e.problem == fine
}

func (e entry) text() string { return e.part.In(e.fence.Body) }

// verbatim reports whether the document literally contains the text of the fence, without prefixes such as the marks
// of a quotation.
func (e entry) verbatim(doc string) bool {
	return e.fence == nil || e.content.In(doc) == e.text() && (e.fence.Open.Start == 0 || strings.ContainsRune("\r\n", rune(doc[e.fence.Open.Start-1])))
}

var operations = map[reply.Verb]verb{reply.Create: created, reply.Change: updated}

// fenced returns the file in a fence. It returns false if the fence is not for a file.
func fenced(doc string, from int, f *format.Region) (entry, bool) {
	b := reply.FileOf(doc, from, &f.Block)
	if b.Path == "" || !reply.MayBeText(&f.Block, b.Path) || hasMarks(f.Body) {
		return entry{}, false
	}
	e := entry{about: about(doc, from, f), verb: operations[b.Says], label: b.Label, path: located{b.Path, b.At}, other: b.Other, part: text.Span{Start: b.Skip, End: len(f.Body)}}
	e.inInfo = b.Where == reply.InInfo
	e.saves = e.inInfo && f.Lang == "save"
	if b.Part {
		e.said, e.partOnly, e.asks, e.path.span = true, true, reply.Change, zero
		return e.with(doc, f), true
	}
	switch b.Where {
	// A comparison with the file decides later whether the fence is for this path (rule W15).
	case reply.InSentence, reply.InHeading:
		e.said, e.saidAt, e.path.span, e.asks, e.heads, e.under = true, b.At, zero, b.Asks, b.Section, b.Under
		if b.Brief {
			e.brief = b.Line
		}
	case reply.FirstLine, reply.InComment:
		start := strings.Index(f.Body, b.Path)
		e.inText = text.Span{Start: start, End: start + len(b.Path)}
		e.path.span = f.HostSpan(e.inText)
		if b.Where == reply.FirstLine {
			e.problem = firstLine
		} else if b.Skip > 0 {
			e.line, e.at = f.HostSpan(text.Span{End: b.Skip}), f.Span
			e.mayBegin = !b.Sure
		} else {
			e.comment = firstWith(f.Body, b.Path)
		}
	default:
		e.line, e.at = b.Line, b.Line
	}
	return e.with(doc, f), true
}

// codeName matches a name of code in code marks, such as `Store.save()`.
var codeName = lazyregexp.New("`([A-Za-z_][\\w.:]*)(?:\\(\\))?`")

// about returns the names of code in the two nonblank lines above a fence.
func about(doc string, from int, f *format.Region) (names []string) {
	line := reply.LineAbove(doc, from, f.Open.Start)
	for _, m := range codeName.FindAllStringSubmatch(reply.LineAbove(doc, from, line.Start).In(doc)+"\n"+line.In(doc), mostNames) {
		names = append(names, strings.FieldsFunc(m[1], func(r rune) bool { return r == '.' || r == ':' })...)
	}
	return names
}

const mostNames = 10

func firstWith(s, word string) string {
	for line := range strings.Lines(s) {
		if strings.Contains(line, word) {
			return text.TrimEOL(line)
		}
	}
	return ""
}
