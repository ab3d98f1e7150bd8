package applypatch

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// signless is the step of a hunk in which some lines begin with none of the three signs. They are
// context lines that lost their space, and perhaps other lines of the hunk lost theirs, too. The
// step changes nothing, but its fixes write the spaces. A fix is certain if only its version of
// the hunk has a place.
type signless struct {
	At       text.Span // the hunk, in the block's body
	Line     text.Span // the first line without a sign
	Readings []spaced
}

// A spaced is a version of the hunk with spaces added, and the edits of the block that add them.
type spaced struct {
	Edit  wholelines.Edit
	Edits []text.Edit
}

// Span implements [intent.Step].
func (s signless) Span() text.Span { return s.At }

// Parts implements [intent.Step]. A person can skip the hunk.
func (s signless) Parts() []text.Span { return []text.Span{s.At} }

// Resolve implements [intent.Step].
func (s signless) Resolve(on intent.Target) intent.Outcome {
	if on.Skipped[s.At] {
		return intent.Outcome{Done: true, Cursor: on.Cursor}
	}
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
	case on.Applied || findreplace.DependsOn(first.Find, on.Before.Unmet): // the text of the file may still change
	case len(applies) == 1 && len(done) == 0:
		fixes[applies[0]].Preferred = true
	case len(applies) == 0 && len(done) > 0: // with every version of the hunk, the change is done
		fixes[done[len(done)-1]].Preferred = true
	}
	return intent.Outcome{Cursor: on.Cursor, Unmet: first.Find + "\n" + first.Replace, Problems: []diag.Diagnostic{diag.New(diag.PatchLine, s.Line, noSign, fixes...)}}
}

var spaceTitles = []string{"Write a space before every line without a sign", "Write a space before every context line of this hunk"}

const noSign = "a line of a hunk must begin with a space, `-` or `+`"

// signless returns the step of a hunk with lines that have no sign. The hunk's lines are [from,
// to).
func (r *reader) signless(e wholelines.Edit, from, to int) signless {
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

// spaced reads a hunk as if each line for which lacks returns true had a space before it.
func (r *reader) spaced(e wholelines.Edit, from, to int, lacks func(line string) bool) spaced {
	var s spaced
	var body strings.Builder
	for i := from; i < to; i++ {
		if r.Text(i) != "" && lacks(r.Text(i)) {
			at := r.Starts[i]
			s.Edits = append(s.Edits, text.Edit{Span: text.Span{Start: at, End: at}, New: " "})
			body.WriteString(" ")
		}
		body.WriteString(r.Raw(i))
	}
	old, new, _ := wholelines.Sides(text.SplitLines(body.String()), r.EOL())
	s.Edit = e
	s.Edit.Readings = []wholelines.Reading{{Find: old, Replace: new}}
	return s
}
