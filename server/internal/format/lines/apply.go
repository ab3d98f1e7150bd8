package lines

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const maxProblems = 100

// A Patch is the step that makes all changes to one file at the same time.
type Patch struct {
	at    text.Span // in the block's body
	parts []text.Span
	ops   []op // from top to bottom
	sum   string
	sumAt text.Span
}

// Span implements [intent.Step].
func (p Patch) Span() text.Span { return p.at }

// Parts implements [intent.Step]. A person can skip each change.
func (p Patch) Parts() []text.Span { return p.parts }

// Resolve implements [intent.Step].
func (p Patch) Resolve(t intent.Target) intent.Outcome {
	ops := slices.DeleteFunc(slices.Clone(p.ops), func(o op) bool { return t.Skipped[o.at] })
	f := newFile(t.Text.Lines(place.AfterEOL))
	if isOf(p.sum, f.Text()) {
		return p.edit(f, ops)
	}
	if places, ok := p.done(t, f, ops); ok {
		return intent.Outcome{Done: true, Places: places}
	}
	return intent.Outcome{Problems: []diag.Diagnostic{p.mismatch(f)}}
}

// edit makes the changes in the text for which they were made.
func (p Patch) edit(f file, ops []op) intent.Outcome {
	if problems := p.problems(f, ops); problems != nil {
		return intent.Outcome{Problems: problems}
	}
	out := intent.Outcome{Edits: f.edits(ops), Problems: f.loneReturns(ops)}
	after := fileOf(apply(f.Text(), out.Edits), f.Meter())
	if f.joinsEndings(ops, after) {
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.LoneReturn, p.sumAt,
			"a CR at the end of one line and an LF after it would become one line ending; first give all lines of the file the same ending").As(diag.Error)}}
	}
	if out.Done = after.Text() == f.Text(); out.Done {
		out.Edits = nil
	}
	for _, o := range ops {
		out.Places = append(out.Places, intent.Place{At: o.at, Target: f.span(o), Done: out.Done})
	}
	return out
}

func (p Patch) problems(f file, ops []op) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, o := range ops {
		if len(found) == maxProblems {
			break
		}
		switch {
		case o.last > f.count():
			found = append(found, beyond(f, o))
		case !f.has(o.first, o.expected):
			found = append(found, differs(f, o))
		}
	}
	if found != nil {
		found[0].Suggest = p.rebase(f, "Write the line numbers of the expected lines")
	}
	return found
}

func beyond(f file, o op) diag.Diagnostic {
	at := o.lastAt
	if o.inserts() {
		at = o.firstAt
	}
	return diag.New(diag.LineOutOfRange, at, fmt.Sprintf("there is no line %d: the file has only %d", o.last, f.count()))
}

func differs(f file, o op) diag.Diagnostic {
	found := make([]string, len(o.expected))
	for i := range found {
		found[i] = f.line(o.first - 1 + i)
	}
	i := 0
	for found[i] == o.expected[i] {
		i++
	}
	return diag.New(diag.ExpectedDiffers, o.expectedAt[i],
		fmt.Sprintf("line %d is %s, not %s", o.first+i, text.Cut(lenientjson.Quote(found[i]), 60), text.Cut(lenientjson.Quote(o.expected[i]), 60)), asInFile(o, found, f.Meter())...)
}

// asInFile returns the fix that writes lines of the file into the expected lines of a change, because the hash and
// the line number show that these lines are meant. The expected lines must differ from the file only in white space
// or by an artifact, which the fix also undoes in the new lines. Other differences between the new lines and the
// file may be on purpose, so they stay.
func asInFile(o op, found []string, m *meter.Meter) []diag.Fix {
	fix := diag.Fix{Title: "Write the lines as the file has them"}
	same := slices.EqualFunc(found, o.expected, sameWords)
	if !same {
		for was := range o.change().Restored(m, artifact.Undoable()) {
			if same = slices.EqualFunc(found, linesOf(was.Old), sameWords); same {
				fix = diag.Fix{Title: was.By.Fix, Edits: o.newLines(linesOf(was.New)), Preferred: was.Sure}
				break
			}
		}
	}
	if !same {
		return nil
	}
	for i, line := range found {
		if line != o.expected[i] {
			fix.Edits = append(fix.Edits, text.Edit{Span: o.expectedAt[i], New: lenientjson.Quote(line)})
		}
	}
	return []diag.Fix{fix}
}

func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// loneReturns warns about insertions below a line that ends with CR, in a file with other line endings. A program
// that counts lines by LF counts fewer lines, so the line number may be wrong. Nothing else would show this mistake,
// because an insertion expects no lines.
func (f file) loneReturns(ops []op) []diag.Diagnostic {
	if !f.mixed {
		return nil
	}
	first := 1
	for first <= f.Count() && !strings.HasSuffix(f.Line(first-1), "\r") {
		first++
	}
	for _, o := range ops {
		if first <= f.Count() && o.inserts() && o.first > first {
			return []diag.Diagnostic{diag.New(diag.LoneReturn, o.firstAt,
				fmt.Sprintf("line %d ends with CR alone, unlike other lines; check that the new lines belong here", first))}
		}
	}
	return nil
}

// joinsEndings reports whether a CR and an LF became one line ending, so that the result has fewer lines than
// intended.
func (f file) joinsEndings(ops []op, after file) bool {
	want := f.count()
	for _, o := range ops {
		want += len(o.lines) - len(o.expected)
	}
	if f.open() && !after.open() && want > 0 {
		after = after.emptyEnd()
	}
	return after.count() != want
}

// apply makes edits, which must not overlap.
func apply(s string, edits []text.Edit) string {
	after, err := text.Apply(s, edits)
	if err != nil {
		panic(fmt.Sprintf("edits of lines overlap: %v", err))
	}
	return after
}

// done reports whether the changes are already in a file, and returns their places. The proof is that the text
// without the new lines has the hash of the patch. If an editor made all line endings the same, the text can no
// longer have this hash, so the history must show that this patch was applied.
func (p Patch) done(t intent.Target, f file, ops []op) ([]intent.Place, bool) {
	known := t.Applied && t.EndingsUnknown && slices.ContainsFunc(ops, func(o op) bool { return len(o.lines) > 0 })
	if places, ok := p.doneIn(f, ops, known); ok || f.open() {
		return places, ok
	}
	return p.doneIn(f.emptyEnd(), ops, known)
}

func (p Patch) doneIn(f file, ops []op, known bool) ([]intent.Place, bool) {
	back, ok := f.back(ops)
	if !ok || !known && !slices.ContainsFunc(undone(f, back), func(s string) bool { return isOf(p.sum, s) }) {
		return nil, false
	}
	places := make([]intent.Place, len(ops))
	for i, o := range ops {
		places[i] = intent.Place{At: o.at, Target: f.span(back[i]), Done: true}
	}
	return places, true
}

// back returns the changes that undo `ops`. It returns false if the file does not have their new lines.
func (f file) back(ops []op) ([]op, bool) {
	back := make([]op, len(ops))
	shift := 0
	for i, o := range ops {
		first := o.first + shift
		if !f.has(first, o.lines) {
			return nil, false
		}
		back[i] = op{first: first, last: first + len(o.lines) - 1, lines: o.expected}
		shift += len(o.lines) - len(o.expected)
	}
	return back, true
}

// undone returns the texts that a file may have had before the changes that `back` undoes. A text without any line
// ending does not show which one it had, and an empty text does not show whether its last line had one.
func undone(f file, back []op) []string {
	endings := []text.EOL{f.eol}
	if text.DominantEOL(f.Text()) == text.None {
		endings = []text.EOL{text.LF, text.CRLF, text.CR}
	}
	var before []string
	for _, eol := range endings {
		f.eol = eol
		s := apply(f.Text(), f.edits(back))
		before = append(before, s)
		if f.Text() == "" {
			before = append(before, strings.TrimSuffix(s, string(eol)))
		}
	}
	return before
}

var emptySum = text.SumHex("")

// mismatch returns the diagnostic for a wrong hash. If possible, the message tells which text has this hash.
func (p Patch) mismatch(f file) diag.Diagnostic {
	d := diag.New(diag.SHA256Mismatch, p.sumAt, "")
	d.Suggest = p.rebase(f, "Rebase onto the current text")
	const again = "; read the file again, and write the patch for its current text"
	if p.sum == emptySum {
		d.Message = "`originalSha256` is the hash of an empty text, but the file is not empty" + again
		return d
	}
	d.MadeFor = &diag.MadeFor{Name: "`originalSha256`", SHA256: p.sum}
	d.Message = "`originalSha256` is not the hash of the file's current text, whose hash begins with " + text.SumHex(f.Text())[:12] + again
	return d
}

// rebase returns a function that searches for the fix that adapts the patch to the file.
func (p Patch) rebase(f file, title string) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		edits, ok := p.moved(ctx, f)
		if !ok {
			return nil
		}
		if !isOf(p.sum, f.Text()) {
			edits = append(edits, text.Edit{Span: p.sumAt, New: lenientjson.Quote(text.SumHex(f.Text()))})
		}
		return []diag.Fix{{Title: title, Edits: edits}}
	}
}
