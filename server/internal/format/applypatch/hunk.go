package applypatch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// hunks reads the hunks of a section. A hunk that changes nothing is an error if it is alone, and otherwise a doubt,
// because its marks may have been lost.
func (r *reader) hunks() []intent.Step {
	var steps []intent.Step
	r.empty = nil
	for to := r.sectionEnd(r.at); r.at < to; {
		if r.Blank(r.at) && r.trimmed(r.at, to) <= r.at {
			r.at = to
			break
		}
		if step, ok := r.hunk(to); ok {
			steps = append(steps, step)
		}
	}
	for _, d := range r.empty {
		if len(r.empty) < len(steps) {
			d = d.As(diag.Warning)
			d.Message += ", and these marks may have been lost"
		}
		r.parsed.Diagnostics = append(r.parsed.Diagnostics, d)
	}
	return steps
}

// hunk reads the `@@` lines of a hunk, and its body.
func (r *reader) hunk(to int) (intent.Step, bool) {
	first := r.at
	e := findreplace.WholeLines{FindName: oldName, ReplaceName: newName}
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

// scope reads an `@@` line, which has line numbers, or a line that is above the hunk in the file.
func (r *reader) scope(s *findreplace.Scope) {
	at := r.At(r.at)
	line := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(at.In(r.Body), "@@")), "@@"))
	if head, _, ok := strings.Cut(line, "@@"); ok && numbers.MatchString(strings.TrimSpace(head)) {
		line = strings.TrimSpace(head) // after its second `@@`, git only repeats a line of the file
	}
	switch m := numbers.FindStringSubmatch(line); {
	case m != nil:
		s.Line, _ = strconv.Atoi(m[1])
	case line != "" && strings.Trim(line, ".… ") != "":
		s.Anchors = append(s.Anchors, findreplace.Anchor{Text: line, At: at})
	}
}

func (r *reader) readBody(e findreplace.WholeLines, first, from, to int) (intent.Step, bool) {
	old, new, signed := findreplace.Sides(text.SplitLines(r.Body[r.Starts[from]:r.Starts[to]]), r.EOL())
	if !r.changes(from, to) {
		d := diag.New(diag.PatchEmpty, r.At(first), "the hunk changes nothing: no line begins with `-` or `+`")
		if !signed || old == "" {
			r.parsed.Diagnostics = append(r.parsed.Diagnostics, d)
			return nil, false
		}
		r.empty = append(r.empty, d)
	}
	if !signed {
		return r.signless(e, from, to), true
	}
	span := text.Span{Start: r.Starts[from], End: r.Starts[to]}
	at := intent.Literal{Span: span}
	e.Readings = []findreplace.Reading{{Find: old, Replace: new, FindAt: at, ReplaceAt: at, Both: findreplace.HunkWriter{Span: span, EOL: r.EOL()}}}
	if old == "" {
		e.Appends = true
		if len(e.Anchors) > 0 {
			r.parsed.Report(diag.PatchLine, e.Anchors[0].At, fmt.Sprintf("the hunk only adds lines, and does not say where below %q they go; add a line of the file as context", e.Anchors[len(e.Anchors)-1].Text))
			return nil, false
		}
	}
	return e, true
}

func (r *reader) changes(from, to int) bool {
	for i := from; i < to; i++ {
		if line := r.Text(i); line != "" && (line[0] == '-' || line[0] == '+') {
			return true
		}
	}
	return false
}

// signless is the step of a hunk in which some lines begin with none of ` `, `+` and `-`. These lines are context
// lines that lost their space, and other context lines may have lost a space, too. The step changes nothing, but
// offers fixes that write the spaces. A fix is certain if no other version of the hunk has a place in the file.
type signless struct {
	At       text.Span // in the block's body
	Line     text.Span // the first line without a sign
	Readings []spaced
}

// A spaced is a version of the hunk with more spaces, and the edits of the block that add them.
type spaced struct {
	Edit  findreplace.WholeLines
	Edits []text.Edit
}

func (s signless) Span() text.Span { return s.At }

func (s signless) Parts() []text.Span { return []text.Span{s.At} }

func (s signless) Resolve(on intent.Target) intent.Outcome {
	var fixes []diag.Fix
	var applies, done []int
	for i, r := range s.Readings {
		fixes = append(fixes, diag.Fix{Title: spaceTitles[i], Edits: r.Edits})
		switch out := r.Edit.Resolve(on); {
		case out.Done:
			done = append(done, i)
		case len(out.Problems) == 0:
			applies = append(applies, i)
		}
	}
	first := s.Readings[0].Edit.Readings[0]
	switch {
	// An earlier step has no place yet. Once a fix gives it one, it may change this text.
	case on.Applied || findreplace.DependsOn(first.Find, on.Before.Unmet):
	case len(applies) == 1 && len(done) == 0:
		fixes[applies[0]].Preferred = true
	// The change was already made, with or without the missing spaces.
	case len(applies) == 0 && len(done) > 0:
		fixes[done[len(done)-1]].Preferred = true
	}
	return intent.Outcome{Cursor: on.Cursor, Unmet: first.Find + "\n" + first.Replace, Problems: []diag.Diagnostic{diag.New(diag.PatchLine, s.Line, noSign, fixes...)}}
}

var spaceTitles = []string{"Write a space before every line without ` `, `+` or `-`", "Write a space before every context line of this hunk"}

const noSign = "a line of a hunk must begin with a space, `-` or `+`"

// signless returns the step of a hunk with the lines [from, to), of which some have no sign.
func (r *reader) signless(e findreplace.WholeLines, from, to int) signless {
	s := signless{At: e.At, Line: r.At(from)}
	for i := from; i < to; i++ {
		if !r.Blank(i) && strings.IndexByte(" -+", r.Text(i)[0]) < 0 {
			s.Line = r.At(i)
			break
		}
	}
	all := r.spaced(e, from, to, func(line string) bool { return line[0] != '-' && line[0] != '+' })
	some := r.spaced(e, from, to, func(line string) bool { return strings.IndexByte(" -+", line[0]) < 0 })
	if s.Readings = []spaced{some, all}; len(some.Edits) == len(all.Edits) {
		s.Readings = []spaced{all}
	}
	return s
}

// spaced reads a hunk as if each line for which `lacks` returns true began with a space.
func (r *reader) spaced(e findreplace.WholeLines, from, to int, lacks func(line string) bool) spaced {
	var s spaced
	var body strings.Builder
	for i := from; i < to; i++ {
		if r.Text(i) != "" && lacks(r.Text(i)) {
			at := r.Starts[i]
			s.Edits = append(s.Edits, text.Insertion(at, " "))
			body.WriteString(" ")
		}
		body.WriteString(r.Raw(i))
	}
	old, new, _ := findreplace.Sides(text.SplitLines(body.String()), r.EOL())
	s.Edit = e
	s.Edit.Readings = []findreplace.Reading{{Find: old, Replace: new}}
	return s
}
