package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Options are the facts that all hunks of a file share.
type Options struct {
	// The id of the file before the change, as the `index` line gives it: hexadecimal digits, usually abbreviated,
	// or "".
	OldBlob string
	// The id of the file after the change, in the same form.
	NewBlob string
	// The span of NewBlob, and of the whole `index` line with its ending.
	IndexAt, IndexLine text.Span
	// Whether the change creates or deletes the file, so that the hunk contains the whole file.
	WholeFile bool
	// The line ending of lines that a fix adds to the block; "" means LF.
	EOL text.EOL

	// Whether all lines of the patch end in CRLF, even the lines that git wrote. See [intent.Target.EndingsUnknown].
	EndingsUnknown bool
}

// A Patch is the step that places the hunks of one file, in the order of the patch. It has at least one hunk, and a
// person can skip each of them. The outcome has a Place for each hunk that could be placed. The step, not the
// parser, reports problems with line numbers and counts.
type Patch struct {
	Hunks   []Hunk
	Options Options
}

func (p Patch) Span() text.Span {
	return text.Span{Start: p.Hunks[0].At.Start, End: p.Hunks[len(p.Hunks)-1].At.End}
}

func (p Patch) Parts() []text.Span {
	return text.Each(p.Hunks, func(h Hunk) text.Span { return h.At })
}

// eachSource is the cost of applying one patch, in units of the meter for each byte of the file.
const eachSource = 16

func (p Patch) Resolve(on intent.Target) intent.Outcome {
	if !on.Text.Meter().Pay(eachSource * on.Text.Len()) {
		return intent.Outcome{}
	}
	on.EndingsUnknown = on.EndingsUnknown || p.Options.EndingsUnknown
	hunks, empty := p.split()
	r := newRun(hunks, p.Options, on)
	r.place()
	r.prove()
	if on.Earlier {
		r.takeExact()
	}
	return r.outcome(empty)
}

// split separates the empty hunks, which have only context. The hunk of a change that creates or deletes its file is
// never empty, because it is the whole file.
func (p Patch) split() (hunks, empty []Hunk) {
	for _, h := range p.Hunks {
		if p.Options.WholeFile || len(h.Lines) == 0 || slices.ContainsFunc(h.Lines, Line.mayChange) {
			hunks = append(hunks, h)
		} else {
			empty = append(empty, h)
		}
	}
	return hunks, empty
}

// takeExact applies hunks that git refuses only because of their header or shape. Their lines must match exactly at
// one place.
func (r *run) takeExact() {
	for _, w := range r.all {
		if w.verdict != place.Near || w.level != place.Exact || w.torn >= 0 || w.hasBare() || w.respaced || w.resigned {
			continue
		}
		if f, ok := r.fit(w, w.at, place.Exact); ok && f.certain {
			w.verdict = place.Applies
		}
	}
}

// outcome returns the outcome of the step. A skipped hunk counts as done. If the file has the result of all other
// hunks, an empty hunk is not reported.
func (r *run) outcome(empty []Hunk) intent.Outcome {
	out := intent.Outcome{Done: len(r.all) > 0}
	for _, w := range r.all {
		out.Done = out.Done && (w.skipped || w.verdict == place.Done)
		if !w.skipped && (w.verdict == place.Applies || w.verdict == place.Near || w.verdict == place.Done) {
			out.Places = append(out.Places, intent.Place{At: w.At, Target: r.src.target.Span(w.at, w.count()), Done: w.verdict == place.Done})
		}
	}
	switch {
	case out.Done:
		out.Problems = r.allDone()
	default:
		out.Edits, out.Proven = r.edits(), r.hasProof
		for _, w := range r.all {
			if !w.skipped {
				out.Problems = append(out.Problems, r.problems(w)...)
			}
		}
		if r.disproven {
			out.Problems = append(out.Problems, r.altered())
		}
		for _, h := range empty {
			if !r.t.Skipped[h.At] {
				out.Problems = append(out.Problems, r.changesNothing(h))
			}
		}
	}
	return out
}

type work struct {
	*Hunk
	before, after side
	skipped       bool
	// torn is the index of a line after which a marker wrongly says that the file ends without a newline; -1 if
	// there is none. In `before` and `after`, the line has its newline.
	torn int

	// Near: the hunk has a place, but git would not apply its current form there
	verdict place.Verdict
	at      int         // the line of the source
	line    int         // the line of the image
	lost    int         // how many lines the earlier hunks without a place would have added
	moved   bool        // the header names another line, although all earlier hunks have a place
	level   place.Level // at which the lines match

	resigned bool    // typographic signs before lines were replaced with plain ones
	respaced bool    // lost spaces before context lines were put back
	proven   *fitted // the intended form of the hunk, as the `index` line proves
	doneToo  bool    // the hunk applies, but the place in its header already has its result
	headed   int     // another place of the old lines, in the block of code that the header names; or -1

	restored *diag.Fix // certainly undoes the effect of an artifact on the hunk

	places  []int // the possible places, if there are several
	tooMany bool  // there are too many places to check

	// Another line of the source with the result, where the hunk may have been applied before; or -1.
	elsewhere int
}

func (w *work) count() int {
	if w.verdict == place.Done {
		return w.after.count()
	}
	return w.before.count()
}

func newWork(h Hunk, endingsUnknown bool) *work {
	if endingsUnknown {
		h.Lines = withoutCR(h.Lines)
	}
	if slices.ContainsFunc(h.Lines, isNothing) {
		h.Lines = slices.DeleteFunc(slices.Clone(h.Lines), isNothing)
	}
	w := &work{elsewhere: -1, headed: -1, torn: torn(h.Lines)}
	if w.torn >= 0 {
		h.Lines = mended(h.Lines)
	}
	w.Hunk = &h
	w.before, w.after = sides(h.Lines)
	return w
}

// isNothing reports whether a line has no bytes: it is empty, and a marker says that it has no newline.
func isNothing(l Line) bool { return l.Text == "" }

func (w *work) isRewritten() bool {
	last := w.Lines[len(w.Lines)-1].At.End
	return w.torn >= 0 || w.respaced || w.resigned || w.hasBare() || w.Loose > 0 && w.At.End > last+len("\r\n")
}

func (w *work) miscounts() bool {
	return w.Numbered && (w.Old.Count != w.before.count() || w.New.Count != w.after.count())
}

// mayLackEdge reports whether the hunk may have lost its first or last line: its header counts more old lines than
// it has, and it begins or ends with an added line. The place of the added line is then uncertain, unless it is at
// an end of the file.
func (r *run) mayLackEdge(w *work, at int) bool {
	n := w.before.count()
	if !w.Numbered || w.Old.Count <= n || len(w.Lines) == 0 {
		return false
	}
	first, last := w.Lines[0].Op, w.Lines[len(w.Lines)-1].Op
	if first == '+' && at > 0 {
		return true
	}
	return last == '+' && at+n < r.src.Count() && !(w.Loose > 0 && text.IsBlank(r.src.Line(at+n)))
}

func withoutCR(lines []Line) []Line {
	out := make([]Line, len(lines))
	for i, l := range lines {
		if endingOf(l.Text) == "\r\n" {
			l.Text = bodyOf(l.Text) + "\n"
		}
		out[i] = l
	}
	return out
}
