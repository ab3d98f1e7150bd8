package hunk

import (
	"cmp"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
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
		d = w.says(diag.Error, diag.HunkNotFound, "the hunk has only the first %d lines of the file, which has %d: line %d is %s", w.before.count(), r.src.Count(), w.before.count()+1, shown(r.src.Line(w.before.count())))
	case k < r.src.Count() && r.src.Line(k) == w.Lines[i].Text:
		d.Message = fmt.Sprintf("line %d is already part of another hunk of this file; join the two", k+1)
	case at >= r.src.Count():
		d.Message = d.Message + fmt.Sprintf(" after the end of the file, which has %d lines", r.src.Count())
	case like > 0:
		d.Message += fmt.Sprintf(", but line %d, in the most similar place, is %s", k+1, shown(r.src.Line(k)))
	default:
		d.Message += fmt.Sprintf(", but nothing similar is there; line %d is %s", k+1, shown(r.src.Line(k)))
	}
	if r.isWhole() {
		d.Fixes = r.wholeFixes(w)
	} else {
		d.Suggest = r.suggest(w)
	}
	return d
}

// rare limits the occurrences of a line that can show the place of a hunk.
const rare = 16

// closest returns the line of the source at which most old lines of a hunk match, apart
// from white space, and their number. If none match, it returns the line of the header.
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

// rarePlaces returns the places of a line if there are few.
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

// maxWhole limits the lines of a deleted file that a fix writes.
const maxWhole = 2000

// wholeFixes returns the fixes that delete the file in its present form.
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
