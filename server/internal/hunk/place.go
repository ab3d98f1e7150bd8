package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A run places the hunks of one file in a target.
type run struct {
	opt Options
	t   intent.Target
	src *source
	all []*work

	zero   bool // no hunk has context: git apply --unidiff-zero
	proven bool // if so: the target is the very file that the patch was made from

	isResult  bool // the target is the file that the `index` line names after the change
	disproven bool // the file is the one that the patch was made from, and it does not give the file that it names

	image    *image
	starts   map[int]*work // hunks that replace something, by the line of the source
	unplaced int           // hunks without a place so far
	lost     int           // lines that they would have added
	budget   locate.Budget
	scans    int // of the whole file, for names
}

func newRun(hunks []Hunk, opt Options, t intent.Target) *run {
	r := &run{opt: opt, t: t, src: newSource(t), starts: map[int]*work{}, budget: maxCompared}
	r.image = newImage(r.src.Count())
	r.zero = withoutContext(hunks) && !opt.WholeFile
	r.proven = r.zero && isBlob(t.Text.String(), opt.OldBlob)
	r.isResult = usableID(opt.NewBlob) && opt.OldBlob != opt.NewBlob && isText(t.Text.String(), opt.NewBlob)
	for _, h := range hunks {
		w := newWork(h, t.EndingsUnknown)
		w.skipped = t.Skipped[h.At]
		r.all = append(r.all, w)
	}
	return r
}

// place finds a place for each hunk in turn, as each moves those behind it.
func (r *run) place() {
	for _, w := range r.all {
		w.lost = r.lost
		r.decide(w)
		if w.verdict == locate.Applies && w.before.text == w.after.text {
			w.verdict = locate.Done // it asks for nothing
		}
		if w.verdict == locate.Applies && (w.torn >= 0 || w.hasBare() || !w.Numbered || w.miscounts()) {
			w.verdict = locate.Near
		}
		r.put(w)
	}
}

// put takes the lines of a hunk's place, for those behind it to find theirs. One
// that is left out, or that a fix would put there, counts as if it was applied:
// the numbers of the others do.
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

// decide finds out what is to become of a hunk.
func (r *run) decide(w *work) {
	if r.isResult && w.after.count() <= r.src.Count() {
		r.setDone(w, r.resultNear(w), locate.Exact)
		return
	}
	if r.t.Applied && r.isDone(w, locate.Exact) || r.asStated(w) {
		return
	}
	if w.before.count() == 0 { // it has no place but the stated one
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
}

// asStated puts a hunk where its header says, if git does too. An insertion
// without context, among hunks that have some, git puts at the end of the file.
func (r *run) asStated(w *work) bool {
	at, ok := r.stated(w)
	if !ok || !r.fits(w, at) || r.headerLine(w) != r.image.line(at) {
		return false
	}
	w.stands = w.before.count() == 0 && !r.proven && r.standsAt(w, at, locate.Exact) || w.after.count() == 0 && r.t.Applied
	w.verdict, w.at = locate.Applies, at
	return true
}

// nearly puts a hunk in the only place that has what it replaces: as git does, or
// but for what git insists on, which is that it begins or ends the file, blanks,
// and endings.
func (r *run) nearly(w *work, l locate.Level) bool {
	if l > locate.Exact && l.Same(w.before.lines, w.after.lines) {
		return false // such differences are what it is about
	}
	places, ok := r.find(w.before.lines, l, func(at int) bool { return r.may(w, at) })
	if !ok {
		w.verdict, w.level, w.tooMany = locate.Ambiguous, l, true
		return true
	}
	if len(places) > 1 && l == locate.Exact && r.gitPlaces(w, places) {
		w.verdict, w.places = locate.Ambiguous, places // git takes one of them, for want of a better
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

// gitPlaces reports whether git would put a numbered hunk in one of the places
// where its lines stand. Where it has the hunk end the file, there is one only,
// which may not be among those that were looked at.
func (r *run) gitPlaces(w *work, places []int) bool {
	if !w.Numbered {
		return false
	}
	end := r.src.Count() - w.before.count()
	return r.ends(w) && end >= 0 && r.fits(w, end) || slices.ContainsFunc(places, func(at int) bool { return r.fits(w, at) })
}

// settle puts a hunk in its place, if it has one only. Fits tells whether git would
// take it there.
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
		w.stands = ok && at != w.at && r.standsAt(w, at, locate.Exact)
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

// may reports whether a hunk, rewritten, may be put at a line of the source.
func (r *run) may(w *work, at int) bool {
	n := w.before.count()
	return r.image.free(at, n) && (!r.isWhole() || at == 0 && n == r.src.Count())
}

// isWhole reports whether the hunk is all that a file has or had.
func (r *run) isWhole() bool { return r.opt.WholeFile && len(r.all) == 1 }

// stated is where a hunk's header puts it.
func (r *run) stated(w *work) (at int, ok bool) {
	begin, end := r.begins(w), r.ends(w)
	switch {
	case begin:
		return r.image.source(0)
	case end:
		at = r.src.Count() - w.before.count()
		return at, at >= 0
	case !w.Numbered:
		return 0, false
	}
	return r.named(w)
}

// headerLine is the line of the image that a hunk's header names; -1 where it has
// none.
func (r *run) headerLine(w *work) int {
	if !w.Numbered {
		return -1
	}
	line := w.New.Start - 1
	if w.after.count() == 0 {
		line++ // an empty side names the line before it
	}
	return max(line, 0) - w.lost
}

// begins reports whether git has a hunk begin the file: its context is short
// there. The only one, without any context, begins it, too, unless it was made by -U0, and that
// cannot be told.
func (r *run) begins(w *work) bool {
	if r.isWhole() {
		return true
	}
	return w.Numbered && (w.Old.Start == 0 || w.Old.Start == 1 && (!r.zero || len(r.all) == 1 && w.before.count() > 0))
}

// ends reports likewise whether git has it end the file.
func (r *run) ends(w *work) bool {
	if r.isWhole() {
		return true
	}
	_, trailing := edges(w.Lines)
	return !r.zero && trailing == 0
}

// fits reports whether git would apply the hunk at a line of the source.
func (r *run) fits(w *work, at int) bool {
	n := w.before.count()
	if !r.src.Has(at, w.before.lines, locate.Exact) || !r.image.free(at, n) {
		return false
	}
	if !r.edgesFit(w, at) {
		return false
	}
	if n == 0 && (r.wasEmpty() || r.creates(w)) {
		return false
	}
	if n == 0 && at > 0 && !strings.HasSuffix(r.src.Line(at-1), "\n") {
		return false // it would go on with the last line
	}
	return at+n == r.src.Count() || endsLine(w.after)
}

// creates reports whether a hunk makes a file of nothing, by its header, although the file
// is there. An insertion at the top that was made without context looks the same: the
// `index` line tells the two apart.
func (r *run) creates(w *work) bool {
	return len(r.all) == 1 && w.Numbered && w.Old == Range{} && r.src.Count() > 0 && !r.proven
}

// wasEmpty reports whether the patch was made for an empty file, which it is not now.
func (r *run) wasEmpty() bool { return r.src.Count() > 0 && isBlob("", r.opt.OldBlob) }

// edgesFit reports whether a hunk that git has begin or end the file does so.
func (r *run) edgesFit(w *work, at int) bool {
	if r.begins(w) && r.image.line(at) != 0 {
		return false
	}
	return !r.ends(w) || at+w.before.count() == r.src.Count() && r.image.atEnd()
}

// endsLine reports whether text can follow a side.
func endsLine(s side) bool { return s.count() == 0 || s.text[len(s.text)-1] == '\n' }
