package hunk

import (
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Options holds the facts that the hunks of one file share.
type Options struct {
	// OldBlob is the id of the file before the change, as the `index` line gives it: hexadecimal
	// digits, usually abbreviated, or "".
	OldBlob string
	// NewBlob is the id of the file after the change, in the same form.
	NewBlob string
	// IndexAt is the span of NewBlob, and IndexLine that of the whole `index` line with its ending.
	IndexAt, IndexLine text.Span
	// WholeFile reports whether the change creates or deletes the file, so that a hunk is
	// all of it.
	WholeFile bool
	// EOL ends the lines that a fix adds to the block; "" means LF.
	EOL text.EOL

	// EndingsUnknown is true if all lines of the patch end in CRLF, even those that git wrote. See
	// [intent.Target.EndingsUnknown].
	EndingsUnknown bool
}

// A Patch is the step that places the hunks of one file. It has at least one hunk, and they are
// in the order of the patch. Its outcome has a Place for each hunk that has one. It reports all
// problems with line numbers and counts, so that the parser need not.
type Patch struct {
	Hunks   []Hunk
	Options Options
}

// Span implements [intent.Step].
func (p Patch) Span() text.Span {
	return text.Span{Start: p.Hunks[0].At.Start, End: p.Hunks[len(p.Hunks)-1].At.End}
}

// Parts implements [intent.Step]. A person can skip each hunk.
func (p Patch) Parts() []text.Span {
	parts := make([]text.Span, len(p.Hunks))
	for i, h := range p.Hunks {
		parts[i] = h.At
	}
	return parts
}

// eachSource is the cost, in units, of each byte of a file for each patch of it.
const eachSource = 16

// Resolve implements [intent.Step].
func (p Patch) Resolve(on intent.Target) intent.Outcome {
	if !on.Text.Meter().Pay(eachSource * on.Text.Len()) {
		return intent.Outcome{}
	}
	on.EndingsUnknown = on.EndingsUnknown || p.Options.EndingsUnknown
	r := newRun(p.Hunks, p.Options, on)
	r.place()
	r.prove()
	if on.Earlier {
		r.takeExact()
	}
	return r.outcome()
}

// takeExact applies the hunks whose lines match exactly at one place, if git refuses them only
// because of their header or shape.
func (r *run) takeExact() {
	for _, w := range r.all {
		if w.verdict != locate.Near || w.level != locate.Exact || w.torn >= 0 || w.hasBare() || w.respaced {
			continue
		}
		if f, ok := r.fit(w, w.at, locate.Exact); ok && f.certain {
			w.verdict = locate.Applies
		}
	}
}

// outcome returns the outcome of the step. A skipped hunk counts as done, and has no
// diagnostics.
func (r *run) outcome() intent.Outcome {
	out := intent.Outcome{Done: true}
	for _, w := range r.all {
		out.Done = out.Done && (w.skipped || w.verdict == locate.Done)
		if !w.skipped && (w.verdict == locate.Applies || w.verdict == locate.Near || w.verdict == locate.Done) {
			out.Places = append(out.Places, intent.Place{At: w.At, Target: r.src.target.Span(w.at, w.count()), Done: w.verdict == locate.Done})
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
	}
	return out
}
