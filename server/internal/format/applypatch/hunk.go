package applypatch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// hunks reads the hunks of a section.
func (r *reader) hunks() []intent.Step {
	var steps []intent.Step
	for to := r.sectionEnd(r.at); r.at < to; {
		if r.Blank(r.at) && !r.goesOn(to) {
			r.at = to
			break
		}
		if step, ok := r.hunk(to); ok {
			steps = append(steps, step)
		}
	}
	return steps
}

// goesOn reports whether the lines up to line to are not all blank.
func (r *reader) goesOn(to int) bool { return r.trimmed(r.at, to) > r.at }

// hunk reads the `@@` lines of a hunk, and its body.
func (r *reader) hunk(to int) (intent.Step, bool) {
	first := r.at
	e := wholelines.Edit{FindName: oldName, ReplaceName: newName}
	e.InOrder = true
	for at := r.at; at < to; at++ {
		if strings.HasPrefix(r.Text(at), "@@") {
			r.at = at
			r.scope(&e.Scope)
			r.at++
		} else if !r.Blank(at) {
			break // blank lines between two `@@` lines mean nothing
		}
	}
	from := r.at
	for r.at < to && !strings.HasPrefix(r.Text(r.at), "@@") {
		if verb, _ := header(r.Text(r.at)); verb != "" {
			break
		}
		r.at++
	}
	last := r.trimmed(from, r.at)
	if verb, _ := header(r.Text(r.at)); r.at < to && verb == endOfFile {
		e.AtEnd = true
		r.at++
	} else if r.at < to && verb == move {
		r.parsed.Report(diag.PatchLine, r.At(r.at), "`*** Move to:` must be on the line below `*** Update File:`")
		r.at++
	}
	e.At = text.Span{Start: r.Starts[first], End: r.Starts[r.at]}
	return r.readBody(e, first, from, last)
}

var numbers = lazyregexp.New(`^-(\d+)(?:,\d+)? \+\d+(?:,\d+)?$`)

// scope reads an `@@` line. It has a line of the file above the hunk, or line numbers.
func (r *reader) scope(s *wholelines.Scope) {
	at := r.At(r.at)
	line := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(at.In(r.Body), "@@")), "@@"))
	if head, _, ok := strings.Cut(line, "@@"); ok && numbers.MatchString(strings.TrimSpace(head)) {
		line = strings.TrimSpace(head) // after its second `@@`, git only repeats a line that it found
	}
	switch m := numbers.FindStringSubmatch(line); {
	case m != nil:
		s.Line, _ = strconv.Atoi(m[1])
	case line != "" && strings.Trim(line, ".… ") != "":
		s.Anchors = append(s.Anchors, wholelines.Anchor{Text: line, At: at})
	}
}

// readBody reads the lines of a hunk.
func (r *reader) readBody(e wholelines.Edit, first, from, to int) (intent.Step, bool) {
	old, new, signed := wholelines.Sides(text.SplitLines(r.Body[r.Starts[from]:r.Starts[to]]), r.EOL())
	if !r.changes(from, to) {
		r.parsed.Report(diag.PatchEmpty, r.At(first), "the hunk changes nothing: no line begins with `-` or `+`")
		return nil, false
	}
	if !signed {
		return r.signless(e, from, to), true
	}
	span := text.Span{Start: r.Starts[from], End: r.Starts[to]}
	at := intent.Literal{Span: span}
	e.Readings = []wholelines.Reading{{Find: old, Replace: new, FindAt: at, ReplaceAt: at, Both: wholelines.HunkWriter{Span: span, EOL: r.EOL()}}}
	if old == "" {
		e.Appends = true
		if len(e.Anchors) > 0 {
			r.parsed.Report(diag.PatchLine, e.Anchors[0].At, fmt.Sprintf("the hunk only adds lines and does not say where after %q; add a line of the file as context", e.Anchors[len(e.Anchors)-1].Text))
			return nil, false
		}
	}
	return e, true
}

// changes reports whether some of the lines add or remove text.
func (r *reader) changes(from, to int) bool {
	for i := from; i < to; i++ {
		if line := r.Text(i); line != "" && (line[0] == '-' || line[0] == '+') {
			return true
		}
	}
	return false
}
