package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/pathline"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
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
	skip     int            // bytes of the fence above it
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
		if n := len(found); n > 0 && found[n-1].fence == f {
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
		if to := found[n-1].to.path; to != "" && isFile(f, to) {
			return append(found, entry{verb: updated, label: true, path: located{path: to}}.with(doc, f))
		}
		return found
	}
	if e, ok := fenced(doc, from, f); ok {
		found = append(found, e)
	}
	return found
}

// with returns the entry with the text of a fence.
func (e entry) with(doc string, f *format.Region) entry {
	e.fence, e.written = f, true
	e.at = text.Span{Start: min(e.at.Start, f.Span.Start), End: f.Span.End}
	if e.line.Empty() {
		e.at.Start = f.Span.Start
	}
	if _, next := text.LineEnd(doc, f.Open.Start); strings.HasPrefix(doc[next:], f.Body) {
		e.content = text.Span{Start: next + e.skip, End: next + len(f.Body)}
	}
	return e
}

// text is the file's.
func (e entry) text() string { return e.fence.Body[e.skip:] }

// verbatim reports whether the text of the fence is as the document has it, without
// prefixes of containers.
func (e entry) verbatim(doc string) bool {
	return e.fence == nil || e.content.In(doc) == e.text() && (e.fence.Open.Start == 0 || strings.ContainsRune("\r\n", rune(doc[e.fence.Open.Start-1])))
}

// fenced returns the file in a fence. It returns false if there is none.
func fenced(doc string, from int, f *format.Region) (entry, bool) {
	e := entry{}
	if info, ok := pathline.Info(f.Info); ok {
		start := f.Open.Start + strings.LastIndex(f.Open.In(doc), f.Info)
		e.path = located{info.In(f.Info), info.Shift(start)}
	}
	above := reply.LineAbove(doc, from, f.Open.Start)
	if at, v, label, ok := pathLine(above.In(doc)); ok && ownLine(doc, from, above) {
		e.verb, e.label, e.line, e.at = v, label, above, above
		switch path := at.In(above.In(doc)); {
		case e.path.path == "" || pathline.EndsWith(path, e.path.path):
			e.path = located{path, at.Shift(above.Start)}
		case !pathline.EndsWith(e.path.path, path):
			e.other = path
		}
	}
	if e.path.path == "" {
		e.path.path = commentPath(f.Body)
		if _, next := text.LineEnd(f.Body, 0); strings.HasSuffix(e.path.path, ".json") {
			e.skip, e.line, e.at = next, f.HostSpan(text.Span{End: next}), f.Span // JSON has no comments
		}
	}
	if e.path.path == "" {
		e = said(doc, from, above)
	}
	if e.path.path == "" || !isFile(f, e.path.path) || hasMarks(f.Body) {
		return entry{}, false
	}
	return e.with(doc, f), true
}

// ownLine reports whether a line does not continue a sentence of the line before.
func ownLine(doc string, from int, line text.Span) bool {
	before := doc[from:line.Start]
	before = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"), " \t>")
	if before == "" {
		return true
	}
	last := before[strings.LastIndexAny(before, "\r\n")+1:]
	return last == "" || strings.HasPrefix(last, "#") || strings.ContainsAny(last[len(last)-1:], ".:!?`~*_")
}

var (
	labels     = lazyregexp.New(`(?i)\b(?:(?:new|created?|updated?|modified|changed) file|new):|\((?:new|created)(?: file)?\)`)
	saysCreate = lazyregexp.New(`(?i)\b(?:new|creat(?:e|ed|ing)|add(?:ed)?)\b`)
	saysUpdate = lazyregexp.New(`(?i)\b(?:updated?|modif(?:y|ied)|chang(?:e|ed)|edit(?:ed)?|replaced?)\b`)
	verbs      = lazyregexp.New("^([ \t>#*`\\d.)-]|(?i:step \\d+[:.)]))*(?i:create|add|update|modify|edit|replace)(?i:(?: the| a)?(?: new)?(?: file)(?: at| named| called| in)?)?:? +")
)

// pathLine returns the path on a line, in bytes of it, and the operation that its other
// words name. label reports whether they do so in an unmistakable way.
func pathLine(line string) (at text.Span, says verb, label, ok bool) {
	skip := len(verbs.FindString(line))
	at, ok = pathline.In(line[skip:])
	at = at.Shift(skip)
	if !ok {
		at, said, ok := reply.FileLabel(line)
		return at, map[reply.Verb]verb{reply.Create: created, reply.Change: updated}[said], ok, ok
	}
	words := line[:at.Start] + " " + line[at.End:]
	switch {
	case saysCreate.MatchString(words):
		says = created
	case saysUpdate.MatchString(words):
		says = updated
	}
	return at, says, labels.MatchString(words), true
}

var comment = lazyregexp.New(`^(?://|#|--|;|/\*|<!--|%)[ \t]*(?i:file(?:name|path)?:[ \t]*)?([\w@.][^\s:*?"<>|]*\.\w+)[ \t]*(?:\*/|-->)?[ \t]*$`)

// commentPath returns the path in a comment on the first line of a file, or "".
func commentPath(body string) string {
	end, _ := text.LineEnd(body, 0)
	m := comment.FindStringSubmatch(body[:end])
	if m == nil || !pathline.Is(m[1]) {
		return ""
	}
	return m[1]
}
