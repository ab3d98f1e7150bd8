package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (r *run) isDone(w *work, l place.Level) bool {
	if r.doneAsStated(w, l, nil) {
		return true
	}
	at, ok := r.result(w, l, text.Passage)
	return ok && r.isProved(w, at) && r.setDone(w, at, l)
}

// isProved reports whether the result of a hunk proves that the hunk was applied, even if it is not at the line in
// the header. The file must not have the old lines.
func (r *run) isProved(w *work, at int) bool {
	if r.t.Applied {
		return true
	}
	lf := func(s string) string { return text.WithEOL(s, text.LF) }
	start, after := len(lf(r.src.Text()[:r.src.Start(at)])), lf(w.after.text)
	return place.IsProved(r.t.Text, place.Change{Old: lf(w.before.text), New: after}, text.Span{Start: start, End: start + len(after)})
}

func (r *run) setDone(w *work, at int, l place.Level) bool {
	if l > place.Exact && differInEmpty(w.Lines, '-', func(k int) string { return r.src.Line(at + k) }) {
		return false
	}
	w.verdict, w.at, w.level = place.Done, at, l
	return true
}

// doneAsStated reports whether the file has the result of a hunk at the place in its header. It returns false if the
// hunk may be meant for one of the places `before` of its old lines.
func (r *run) doneAsStated(w *work, l place.Level, before []int) bool {
	at, ok := r.resultAsStated(w, l)
	return ok && !slices.ContainsFunc(before, func(place int) bool { return r.fits(w, place) || !w.explains(at, place) }) && r.setDone(w, at, l)
}

func (r *run) resultAsStated(w *work, l place.Level) (int, bool) {
	at, ok := r.stated(w)
	if r.ends(w) && !r.begins(w) {
		at = r.src.Count() - w.after.count()
		if named, found := r.named(w); found && !r.resultAt(w, at, l) {
			at, ok = named, true
		}
	}
	return at, ok && w.Numbered && !w.changesOnly(l) && r.mayBeDone(w, l) && r.resultAt(w, at, l) && (w.adds() || r.shows(w, text.Passage))
}

// doneAround reports whether the file has the result of a hunk exactly once, and the old lines only inside of it. If
// so, the hunk only adds lines and was already applied. doneAround returns false if the hunk adds only brackets or
// blank lines, because the file can have these without the hunk.
func (r *run) doneAround(w *work, l place.Level, before []int) bool {
	at, ok := r.result(w, l, text.Line)
	if !ok || len(before) == 0 || slices.ContainsFunc(before, func(place int) bool { return !w.explains(at, place) }) {
		return false
	}
	if pad := w.passage().Padding(); pad != "" && !r.t.Applied {
		if !text.IsBlank(pad) {
			w.elsewhere = at
		}
		return false
	}
	return r.setDone(w, at, l)
}

// explains reports whether the old lines are at a place only because the hunk's longer result contains them.
func (w *work) explains(result, place int) bool {
	n, m := w.before.count(), w.after.count()
	return n < m && place >= result && place+n <= result+m
}

// resultNear returns the place of a hunk's result that is closest to the line in its header. The file must have the
// results of all hunks.
func (r *run) resultNear(w *work) int {
	stated := max(r.headerLine(w), 0)
	best := min(stated, r.src.Count()-min(w.after.count(), r.src.Count()))
	places, _ := r.find(w.after.lines, place.LineEnding, func(int) bool { return true })
	for i, at := range places {
		if i == 0 || distance(at, stated) < distance(best, stated) {
			best = at
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// result returns the only place of a hunk's result. It returns false if the result does not show that the hunk was
// applied, for example because it is shorter than `least`.
func (r *run) result(w *work, l place.Level, least text.Evidence) (int, bool) {
	if !r.mayBeDone(w, l) || !r.shows(w, least) || w.changesOnly(l) {
		return 0, false
	}
	places, ok := r.find(w.after.lines, l, func(at int) bool { return r.resultFits(w, at) })
	if !ok || len(places) != 1 {
		return 0, false
	}
	return places[0], true
}

// mayBeDone reports whether a file can show that a hunk was applied. For example, a hunk that leaves no line shows
// nothing.
func (r *run) mayBeDone(w *work, l place.Level) bool {
	if l > place.Exact && w.torn >= 0 {
		// A looser level ignores the final newline, which the hunk may be meant to change.
		return false
	}
	return w.after.count() > 0 && w.after.text != w.before.text && (!text.IsBlank(w.after.text) || r.t.Applied)
}

func (r *run) resultAt(w *work, at int, l place.Level) bool {
	return at >= 0 && at+w.after.count() <= r.src.Count() && w.after.count() > 0 && r.resultFits(w, at) && r.src.Has(at, w.after.lines, l)
}

func (r *run) resultFits(w *work, at int) bool {
	n := w.after.count()
	if w.before.count() >= n && r.matchesSpaced(w, at) {
		// The lines to remove are still in the file, perhaps with different white space.
		return false
	}
	if r.begins(w) && !w.adds() && r.image.line(at) != 0 {
		return false
	}
	if !r.image.free(at, n) {
		return false
	}
	named, ok := r.named(w)
	// If other lines follow, the result of a hunk that only removes lines proves nothing.
	grown := ok && at == named && w.adds()
	return !r.ends(w) || !w.Numbered || at+n == r.src.Count() || grown
}

// shows reports whether the result of a hunk can show that the hunk was applied. If the hunk only removes lines, its
// result is only context, which must be on both sides or reach the beginning or end of the file.
func (r *run) shows(w *work, least text.Evidence) bool {
	if !least.Says(w.after.text) && !r.t.Applied {
		return false
	}
	leading, trailing := edges(w.Lines)
	return w.adds() || (leading > 0 || r.begins(w)) && (trailing > 0 || r.ends(w) && w.Numbered)
}

func (w *work) adds() bool {
	return slices.ContainsFunc(w.Lines, func(l Line) bool { return l.Op == '+' && !text.IsBlank(l.Text) })
}

// changesOnly reports whether a hunk changes lines only in ways that the level ignores. Its result then equals its
// old lines at that level.
func (w *work) changesOnly(l place.Level) bool {
	if l == place.Exact {
		return false
	}
	removed := map[string]string{}
	for _, line := range w.Lines {
		if line.Op == '-' {
			removed[l.Fold(line.Text)] = line.Text
		}
	}
	for _, line := range w.Lines {
		if was, ok := removed[l.Fold(line.Text)]; ok && line.Op == '+' && was != line.Text {
			return true
		}
	}
	return false
}
