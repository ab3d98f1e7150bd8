package ap

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A finish describes changes to all lines of a changed file.
type finish struct {
	trims bool     // removes white space at line ends (rule A43)
	eol   text.EOL // the ending of all lines (rule A10), or None to keep their endings
}

const spaces = " \t"

func (t *target) finished(l line) line {
	if t.finish.trims && endsInSpace(l.text) {
		l.text = strings.TrimRight(l.text, spaces)
	}
	if t.finish.eol != text.None && l.eol != "" {
		l.eol = string(t.finish.eol)
	}
	return l
}

// trim removes white space at all line ends. It returns the number of changed lines that no modification wrote.
func (t *target) trim() (untouched int) {
	t.finish.trims = true
	for id := range t.original() {
		if !t.isGone(id) && endsInSpace(text.TrimEOL(t.lines.Line(id))) {
			untouched++
		}
	}
	return untouched
}

func endsInSpace(s string) bool { return s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') }

// edits returns the edits that turn the file into the current lines. Untouched lines keep their endings. If the
// file's last line has no ending, the new last line has none either (rule A45).
func (t *target) edits() []text.Edit {
	n := t.original()
	o := output{target: t, open: n > 0 && t.lineOf(n-1).eol == ""}
	for i := range t.count() {
		id, last := t.id(i), i == t.count()-1
		if id < n {
			o.flush(id)
			o.keep(id, last)
			continue
		}
		l := t.finished(t.lineOf(id))
		o.fresh.WriteString(l.text)
		if !last || !o.open {
			o.fresh.WriteString(l.eol)
		}
	}
	o.flush(n)
	return o.edits
}

type output struct {
	*target
	open  bool // the last line of the file has no ending
	edits []text.Edit
	fresh strings.Builder // the lines to write before the next line of the file
	next  int
}

// flush writes the lines in `fresh` before the line of the file with this ID.
func (o *output) flush(id int) {
	if o.fresh.Len() > 0 || id > o.next {
		o.edits = append(o.edits, text.Edit{Span: o.lines.Span(o.next, id-o.next), New: o.fresh.String()})
		o.fresh.Reset()
	}
}

func (o *output) keep(id int, last bool) {
	o.next = id + 1
	was := o.lines.Line(id)
	body := text.TrimEOL(was)
	now := o.finished(line{text: body, eol: was[len(body):]})
	switch {
	case last && o.open:
		now.eol = ""
	case now.eol == "":
		now.eol = string(o.eol)
	}
	if len(was) == len(now.text)+len(now.eol) && was[len(now.text):] == now.eol {
		return
	}
	tail := now.text + now.eol
	n := text.SharedStart(body, tail)
	at := o.lines.Start(id)
	o.edits = append(o.edits, text.Edit{Span: text.Span{Start: at + n, End: at + len(was)}, New: tail[n:]})
}
