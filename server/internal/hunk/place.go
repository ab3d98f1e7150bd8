package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type run struct {
	opt  Options
	t    intent.Target
	src  *source
	blob blob // of the target
	all  []*work

	zero   bool // no hunk has context, so the patch is treated as for git apply --unidiff-zero
	proven bool // zero is true, and the target is exactly the file from which the patch was made

	isResult  bool // the target is the file that the `index` line names as the result
	hasProof  bool // the target is the patch's old file, and the hunks produce the result on the `index` line
	disproven bool // the target is the patch's old file, but the hunks do not produce the result on the `index` line

	image    *image
	starts   map[int]*work // the hunks that replace lines, by their first line of the source
	unplaced int           // the number of hunks without a place so far
	lost     int           // how many lines these hunks would have added
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

// place places the hunks one after the other, because each moves the lines below it.
func (r *run) place() {
	for _, w := range r.all {
		w.lost = r.lost
		r.decide(w)
		if w.verdict == place.Applies && w.before.text == w.after.text {
			w.verdict = place.Done
		}
		if w.verdict == place.Applies && (w.torn >= 0 || w.resigned || w.hasBare() || !w.Numbered || w.miscounts()) {
			w.verdict = place.Near
		}
		r.put(w)
	}
}

// put marks the lines at a hunk's place as taken. A hunk that is skipped or needs a fix counts, too, because the
// line numbers of later hunks include its lines.
func (r *run) put(w *work) {
	before, after := w.before.count(), w.after.count()
	switch w.verdict {
	case place.Done:
		r.image.put(w.at, after, after)
	case place.Applies, place.Near:
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

func (r *run) decide(w *work) {
	if r.isResult && w.after.count() <= r.src.Count() {
		r.setDone(w, r.resultNear(w), place.Exact)
		return
	}
	if r.t.Applied && r.isDone(w, place.Exact) || r.asStated(w) {
		return
	}
	// A hunk without old lines can only be at the place in its header.
	if w.before.count() == 0 {
		if r.opt.WholeFile || r.creates(w) && w.after.count() == r.src.Count() {
			r.isDone(w, place.Exact)
		}
		return
	}
	for _, l := range levels {
		if r.nearly(w, l) || l == place.Exact && r.withSpaces(w) {
			return
		}
	}
	for _, l := range levels {
		if r.isDone(w, l) {
			return
		}
	}
	for _, read := range []func(*work) *work{(*work).plainSigns, (*work).loosened} {
		if v := read(w); v != nil {
			if r.decide(v); v.verdict != place.Missing {
				*w = *v
				return
			}
		}
	}
	r.restore(w)
}

// asStated puts a hunk at the place in its header if git would. If other hunks have context, git
// accepts an insertion without context only at the end of the file.
func (r *run) asStated(w *work) bool {
	at, ok := r.stated(w)
	if !ok || !r.fits(w, at) || r.headerLine(w) != r.image.line(at) {
		return false
	}
	w.doneToo = w.before.count() == 0 && !r.proven && r.resultAt(w, at, place.Exact) || r.t.Applied && r.leaves(w, at)
	w.verdict, w.at, w.headed = place.Applies, at, r.headedPlace(w, at)
	return true
}

// headedPlace returns the place of a hunk's old lines in the block of code that the header names, or -1. The block
// must begin below the stated place. git writes a line above the hunk into the header, so either that line or the
// number is wrong.
func (r *run) headedPlace(w *work, stated int) int {
	end := stated + w.before.count()
	if w.Section == "" || end == stated {
		return -1
	}
	below, ok := r.find(w.before.lines, place.Exact, func(at int) bool { return at > end && r.mayPut(w, at) })
	if !ok || len(below) == 0 {
		return -1
	}
	block := r.sectionBlock(w)
	if len(block) == 0 || block[0].First < end {
		return -1
	}
	below = slices.DeleteFunc(below, func(at int) bool { return !place.Within(block, at) })
	if len(below) != 1 {
		return -1
	}
	return below[0]
}

// sectionBlock returns the only block of code that begins with the line in a hunk's header, or nil.
func (r *run) sectionBlock(w *work) []place.Block {
	if w.Section == "" {
		return nil
	}
	blocks := place.BlocksOf(r.src.Lines, w.Section, []place.Block{{End: r.src.Count()}})
	if len(blocks) != 1 {
		return nil
	}
	return blocks
}

// leaves reports whether the result of a hunk that removes more lines than it adds is already in the source at line
// `at`, where the hunk's old lines begin. This happens if the hunk removes some of several equal lines, or all of its
// lines.
func (r *run) leaves(w *work, at int) bool {
	n := w.after.count()
	return w.before.count() > n && r.src.Has(at, w.after.lines, place.Exact) && (n == 0 || !r.ends(w) || at+n == r.src.Count())
}

// nearly puts a hunk at the only place of its old lines, even if git refuses this place because of white space, line
// endings, or the end of the file.
func (r *run) nearly(w *work, l place.Level) bool {
	if l > place.Exact && l.Same(w.before.lines, w.after.lines) {
		// The level cannot tell the old lines from the new ones.
		return false
	}
	places, ok := r.find(w.before.lines, l, func(at int) bool { return r.mayPut(w, at) })
	if !ok {
		w.verdict, w.level, w.tooMany = place.Ambiguous, l, true
		return true
	}
	if len(places) > 1 && l == place.Exact && r.gitPlaces(w, places) {
		// git would choose one of the places without a reason.
		w.verdict, w.places = place.Ambiguous, places
		return true
	}
	places = r.narrow(w, r.prefer(w, places))
	fits := l == place.Exact && len(places) == 1 && r.fits(w, places[0])
	if !(fits && w.Numbered) && (r.doneAsStated(w, l, places) || r.doneAround(w, l, places)) {
		return true
	}
	if len(places) == 1 {
		if rivals := r.rivals(w, places[0], l, fits); len(rivals) > 1 {
			places, l = rivals, place.Spacing
		}
	}
	r.settle(w, l, places, fits)
	return len(places) > 0
}

// settle records the place of a hunk, or all its places. `fits` is true if git would apply the hunk at its only
// place.
func (r *run) settle(w *work, l place.Level, places []int, fits bool) {
	switch {
	case len(places) == 0:
		return
	case len(places) > 1:
		w.verdict, w.places, w.level = place.Ambiguous, places, l
		return
	case fits:
		w.verdict, w.at = place.Applies, places[0]
		at, ok := r.stated(w)
		w.doneToo = ok && at != w.at && r.resultAt(w, at, place.Exact)
	default:
		w.verdict, w.at, w.level = place.Near, places[0], l
	}
	if at, ok := r.stated(w); ok && at == w.at {
		return
	}
	if result, ok := r.resultAsStated(w, l); ok {
		w.elsewhere = result
	} else if result, ok := r.result(w, l, text.Passage); ok {
		w.elsewhere = result
	}
}

func (r *run) mayPut(w *work, at int) bool {
	n := w.before.count()
	return r.image.free(at, n) && (!r.isWhole() || at == 0 && n == r.src.Count())
}

// narrow chooses among several places of a hunk whose header has no numbers but may name a line above the hunk. It
// returns the only place in the block of code that begins with that line, or else the only place below that line, or
// else all places.
func (r *run) narrow(w *work, places []int) []int {
	if w.Numbered || len(places) < 2 || len(places) > maxPlaces {
		return places
	}
	block := r.sectionBlock(w)
	if len(block) == 0 {
		return places
	}
	for _, within := range [][]place.Block{block, {{First: block[0].First, End: r.src.Count()}}} {
		inside := slices.DeleteFunc(slices.Clone(places), func(at int) bool { return !place.Within(within, at) })
		if len(inside) == 1 {
			return inside
		}
	}
	return places
}

// rivals returns the places that compete with the only place of a hunk at a level, including that place. If git
// accepts the hunk there, the place in its header competes if the lines match there apart from white space.
// Otherwise, every place competes at which the lines match at a looser level, because the hunk may have lost tabs or
// white space. If the lines match exactly, the looser level does not ignore indentation.
func (r *run) rivals(w *work, only int, l place.Level, fits bool) []int {
	stated, ok := r.named(w)
	if ok && stated == only && stated == w.Old.Start-1 {
		return nil
	}
	loosest := place.Spacing
	if l == place.Exact {
		loosest = place.TrailingSpace
	}
	if fits && w.Numbered && w.torn < 0 && !w.miscounts() && ok && r.matchesSpaced(w, stated) {
		return []int{only, stated}
	}
	if l >= loosest || loosest.Same(w.before.lines, w.after.lines) {
		return nil
	}
	places, _ := r.find(w.before.lines, loosest, func(at int) bool { return r.mayPut(w, at) })
	return r.narrow(w, places)
}

// matchesSpaced reports whether the old lines match at a line of the source, apart from white space. It returns
// false for a hunk that changes only white space.
func (r *run) matchesSpaced(w *work, at int) bool {
	return at+w.before.count() <= r.src.Count() && r.image.free(at, w.before.count()) &&
		!place.Spacing.Same(w.before.lines, w.after.lines) && r.src.Has(at, w.before.lines, place.Spacing)
}

// prefer returns only the place that both numbers of the header name, because git tries that place first. It returns
// all places in two cases:
//   - No place has these numbers.
//   - The hunk must be at the beginning or end of the file, and another place is there but the named place is not.
func (r *run) prefer(w *work, places []int) []int {
	at, ok := r.named(w)
	if !ok || at != w.Old.Start-1 || !slices.Contains(places, at) {
		return places
	}
	if !r.edgesFit(w, at) && slices.ContainsFunc(places, func(p int) bool { return r.edgesFit(w, p) }) {
		return places
	}
	return []int{at}
}
