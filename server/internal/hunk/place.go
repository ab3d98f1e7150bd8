package hunk

import (
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A run places the hunks of one file in a target.
type run struct {
	opt  Options
	t    intent.Target
	src  *source
	blob blob // the text of the target
	all  []*work

	zero   bool // the patch is like one for git apply --unidiff-zero, because no hunk has context
	proven bool // with zero: the target is exactly the file from which the patch was made

	isResult  bool // the target is the file that the `index` line names as the result
	hasProof  bool // the target is the file from which the patch was made, and the hunks give the result that the `index` line names
	disproven bool // the target is the file from which the patch was made, but the hunks do not give the named result

	image    *image
	starts   map[int]*work // the hunks that replace lines, by their first line in the source
	unplaced int           // number of hunks that have no place so far
	lost     int           // number of lines that those hunks would have added
}

func newRun(hunks []Hunk, opt Options, t intent.Target) *run {
	r := &run{opt: opt, t: t, src: newSource(t), blob: blob{text: t.Text.String()}, starts: map[int]*work{}}
	r.image = newImage(r.src.Count())
	r.zero = withoutContext(hunks) && !opt.WholeFile
	r.proven = r.zero && r.blob.is(opt.OldBlob)
	r.isResult = opt.OldBlob != opt.NewBlob && r.blob.isText(opt.NewBlob)
	for _, h := range hunks {
		w := newWork(h, t.EndingsUnknown)
		w.skipped = t.Skipped[h.At]
		r.all = append(r.all, w)
	}
	return r
}

// place places the hunks one after the other, because each of them moves the lines below it.
func (r *run) place() {
	for _, w := range r.all {
		w.lost = r.lost
		r.decide(w)
		if w.verdict == locate.Applies && w.before.text == w.after.text {
			w.verdict = locate.Done // the hunk changes nothing
		}
		if w.verdict == locate.Applies && (w.torn >= 0 || w.hasBare() || !w.Numbered || w.miscounts()) {
			w.verdict = locate.Near
		}
		r.put(w)
	}
}

// put marks the lines of a hunk's place as taken, so that later hunks find theirs. A hunk that is
// skipped, or that needs a fix, is put, too, because the numbers of later hunks include its
// lines.
func (r *run) put(w *work) {
	before, after := w.before.count(), w.after.count()
	switch w.verdict {
	case locate.Done:
		r.image.put(w.at, after, after)
	case locate.Applies, locate.Near:
		w.line = r.image.line(w.at)
		w.moved = w.Numbered && r.unplaced == 0 && w.line != r.headerLine(w)
		r.image.put(w.at, before, after)
		if before > 0 && !w.skipped {
			r.starts[w.at] = w
		}
	default:
		r.unplaced++
		r.lost += after - before
	}
}

// decide finds the verdict on a hunk.
func (r *run) decide(w *work) {
	if r.isResult && w.after.count() <= r.src.Count() {
		r.setDone(w, r.resultNear(w), locate.Exact)
		return
	}
	if r.t.Applied && r.isDone(w, locate.Exact) || r.asStated(w) {
		return
	}
	if w.before.count() == 0 { // only the place that the header names is possible
		if r.opt.WholeFile || r.creates(w) && w.after.count() == r.src.Count() {
			r.isDone(w, locate.Exact)
		}
		return
	}
	for _, l := range levels {
		if r.nearly(w, l) || l == locate.Exact && r.withSpaces(w) {
			return
		}
	}
	for _, l := range levels {
		if r.isDone(w, l) {
			return
		}
	}
	r.restore(w)
}

// asStated puts a hunk at the place that its header names, if git would put it there. If other hunks have
// context, git puts an insertion without context at the end of the file.
func (r *run) asStated(w *work) bool {
	at, ok := r.stated(w)
	if !ok || !r.fits(w, at) || r.headerLine(w) != r.image.line(at) {
		return false
	}
	w.doneToo = w.before.count() == 0 && !r.proven && r.resultAt(w, at, locate.Exact) || r.t.Applied && r.leaves(w, at)
	w.verdict, w.at = locate.Applies, at
	return true
}

// leaves reports whether a hunk's result is at a line of the source although its old lines are
// there, too. That happens if the hunk removes some of several equal lines, or leaves no line.
func (r *run) leaves(w *work, at int) bool {
	n := w.after.count()
	return w.before.count() > n && r.src.Has(at, w.after.lines, locate.Exact) && (n == 0 || !r.ends(w) || at+n == r.src.Count())
}

// nearly puts a hunk at the only place of its old lines. Git may agree, or it may refuse because
// of white space, line endings, or an end of the file that the hunk does not change.
func (r *run) nearly(w *work, l locate.Level) bool {
	if l > locate.Exact && l.Same(w.before.lines, w.after.lines) {
		return false // the hunk is meant to change such differences
	}
	places, ok := r.find(w.before.lines, l, func(at int) bool { return r.mayPut(w, at) })
	if !ok {
		w.verdict, w.level, w.tooMany = locate.Ambiguous, l, true
		return true
	}
	if len(places) > 1 && l == locate.Exact && r.gitPlaces(w, places) {
		w.verdict, w.places = locate.Ambiguous, places // git would choose one of them without evidence
		return true
	}
	places = r.narrow(w, r.prefer(w, places))
	fits := l == locate.Exact && len(places) == 1 && r.fits(w, places[0])
	if !(fits && w.Numbered) && (r.doneAsStated(w, l, places) || r.doneAround(w, l, places)) {
		return true
	}
	if len(places) == 1 {
		if rivals := r.rivals(w, places[0], l, fits); len(rivals) > 1 {
			places, l = rivals, locate.Spacing
		}
	}
	r.settle(w, l, places, fits)
	return len(places) > 0
}

// settle puts a hunk at its place if there is only one. fits reports whether git would apply the
// hunk there.
func (r *run) settle(w *work, l locate.Level, places []int, fits bool) {
	switch {
	case len(places) == 0:
		return
	case len(places) > 1:
		w.verdict, w.places, w.level = locate.Ambiguous, places, l
		return
	case fits:
		w.verdict, w.at = locate.Applies, places[0]
		at, ok := r.stated(w)
		w.doneToo = ok && at != w.at && r.resultAt(w, at, locate.Exact)
	default:
		w.verdict, w.at, w.level = locate.Near, places[0], l
	}
	if at, ok := r.stated(w); ok && at == w.at {
		return
	}
	if result, ok := r.result(w, l); ok {
		w.elsewhere = result
	}
}

// mayPut reports whether a rewritten hunk may be put at a line of the source.
func (r *run) mayPut(w *work, at int) bool {
	n := w.before.count()
	return r.image.free(at, n) && (!r.isWhole() || at == 0 && n == r.src.Count())
}
