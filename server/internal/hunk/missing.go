package hunk

import (
	"cmp"
	"fmt"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// notFound reports a hunk whose old lines are not in the file.
func (r *run) notFound(w *work) diag.Diagnostic {
	if r.src.Count() == 0 {
		return w.says(diag.Error, diag.HunkNotFound, "the file is empty, but the hunk expects %d lines", w.before.count())
	}
	at, like := r.closest(w)
	i, k := r.firstDifference(w, at)
	d := w.says(diag.Error, diag.HunkNotFound, "the file does not have the lines of this hunk: it expects %s", shown(w.Lines[i].Text))
	d.Span = w.Lines[i].At
	switch {
	case r.isWhole() && w.before.count() < r.src.Count() && r.src.Has(0, w.before.lines, locate.Exact):
		d = w.says(diag.Error, diag.HunkNotFound, "the hunk has only the first %d lines of the file, which has %d lines; line %d is %s", w.before.count(), r.src.Count(), w.before.count()+1, shown(r.src.Line(w.before.count())))
	case k < r.src.Count() && r.src.Line(k) == w.Lines[i].Text:
		d.Message = fmt.Sprintf("line %d is already part of another hunk for this file; join the two hunks", k+1)
	case at >= r.src.Count():
		d.Message = d.Message + fmt.Sprintf(" after the end of the file, which has %d lines", r.src.Count())
	case like > 0:
		d.Message += fmt.Sprintf(", but line %d, in the most similar place, is %s", k+1, shown(r.src.Line(k)))
	default:
		d.Message += fmt.Sprintf(", but nothing similar is there; line %d is %s", k+1, shown(r.src.Line(k)))
	}
	if r.isWhole() {
		d.Fixes = r.wholeFixes(w)
	} else if w.restored != nil {
		d.Fixes = []diag.Fix{*w.restored}
	} else {
		d.Suggest = r.suggest(w)
	}
	return d
}

// restore decides about a hunk whose lines are nowhere in the file. The file may have them if
// artifacts are undone.
func (r *run) restore(w *work) {
	place.Restore(r.t.Text.Meter(), w.change(), artifact.Sure(), func(was place.Restored) bool {
		now := r.asWas(w, was)
		for _, l := range levels {
			if was.Sure && r.isDone(now, l) {
				w.verdict, w.at, w.level, w.after = locate.Done, now.at, l, now.after
				return true
			}
		}
		fix, ok := r.restoring(w, now, was)
		if ok && fix.Preferred {
			w.restored = &fix
		}
		return w.restored != nil
	})
}

// restored returns the fix that writes a hunk as it was before artifacts altered it. The file
// must then have the old lines at exactly one place.
func (r *run) restored(w *work) (fix diag.Fix, ok bool) {
	place.Restore(r.t.Text.Meter(), w.change(), artifact.Undoable(), func(was place.Restored) bool {
		fix, ok = r.restoring(w, r.asWas(w, was), was)
		return ok
	})
	return fix, ok
}

func (w *work) change() place.Change {
	return place.Change{Old: text.WithEOL(w.before.text, text.LF), New: text.WithEOL(w.after.text, text.LF)}
}

func (r *run) asWas(w *work, was place.Restored) *work {
	h := *w.Hunk
	h.Lines = linesOf(was.Change)
	return newWork(h, r.t.EndingsUnknown)
}

// restoring returns the fix that replaces a hunk by the restored one.
func (r *run) restoring(w, now *work, was place.Restored) (diag.Fix, bool) {
	at, level, ok := r.onlyPlace(now)
	if !ok {
		return diag.Fix{}, false
	}
	f, ok := r.fit(now, at, level)
	f.changed, f.certain = true, f.certain && was.Sure
	return r.fix(w, f, was.By.Fix), ok
}

// onlyPlace returns the only place of the old lines of a hunk, on the strictest level that has
// exactly one.
func (r *run) onlyPlace(w *work) (at int, l locate.Level, ok bool) {
	for _, l := range levels {
		places, all := r.find(w.before.lines, l, func(at int) bool { return r.may(w, at) })
		switch {
		case all && len(places) == 1:
			return places[0], l, true
		case !all || len(places) > 0:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// linesOf returns the lines of a hunk that makes a given change.
func linesOf(c place.Change) (lines []Line) {
	op := map[linediff.Op]byte{linediff.Match: ' ', linediff.Delete: '-', linediff.Insert: '+'}
	for _, e := range diff.Lines(text.SplitLines(c.Old), text.SplitLines(c.New)) {
		lines = append(lines, Line{Op: op[e.Op], Text: cmp.Or(e.X, e.Y)})
	}
	return lines
}

// rare is the largest number of occurrences with which a line can show the place of a hunk.
const rare = 16

// closest returns the line of the source at which the most old lines of a hunk match, apart from
// white space, and the number of these. If none match, it returns the line that the header names.
func (r *run) closest(w *work) (at, like int) {
	votes := map[int]int{}
	for i, line := range w.before.lines {
		for _, place := range r.rarePlaces(line) {
			votes[place-i]++
		}
	}
	stated := max(w.Old.Start-1, 0)
	at = stated
	for start, n := range votes {
		if closer := cmp.Compare(distance(start, stated), distance(at, stated)); n > like || n == like && (closer < 0 || closer == 0 && start < at) {
			at, like = start, n
		}
	}
	return max(at, 0), like
}

// rarePlaces returns the places of a line, or nil if it has too many.
func (r *run) rarePlaces(line string) (places []int) {
	r.src.Find([]string{line}, locate.Spacing, func(at int) bool {
		places = append(places, at)
		return len(places) <= rare
	})
	if len(places) > rare {
		return nil
	}
	return places
}

func distance(a, b int) int { return max(a-b, b-a) }

// maxWhole is the largest number of lines of a deleted file that a fix writes.
const maxWhole = 2000

// wholeFixes returns the fixes for a hunk that deletes the whole file: they write the present
// lines of the file.
func (r *run) wholeFixes(w *work) []diag.Fix {
	if w.after.count() > 0 || r.src.Count() > maxWhole {
		return nil
	}
	f := fitted{changed: true, open: -1}
	for i := range r.src.Count() {
		f.lines = append(f.lines, Line{Op: '-', Text: r.src.Line(i)})
	}
	return []diag.Fix{r.fix(w, f, "Delete the file as it is now")}
}
