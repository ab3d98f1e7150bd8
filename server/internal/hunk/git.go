package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
)

// isWhole reports whether the hunk contains the whole file, before or after the change.
func (r *run) isWhole() bool { return r.opt.WholeFile && len(r.all) == 1 }

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

// named returns the line of the source that a hunk's header names.
func (r *run) named(w *work) (int, bool) { return r.image.source(r.headerLine(w)) }

// headerLine converts the line number in a hunk's header to a line of the text in which the hunks that already have a
// place are applied. It returns -1 if the header has no line numbers.
func (r *run) headerLine(w *work) int {
	if !w.Numbered {
		return -1
	}
	line := w.New.Start - 1
	if w.after.count() == 0 {
		line++ // for an empty side, the header names the line above
	}
	return max(line, 0) - w.lost
}

// begins reports whether git applies the hunk only at the top of the file, because of its line numbers. This
// includes a single hunk without context, because nothing shows that it was made with -U0.
func (r *run) begins(w *work) bool {
	if r.isWhole() {
		return true
	}
	return w.Numbered && (w.Old.Start == 0 || w.Old.Start == 1 && (!r.zero || len(r.all) == 1 && w.before.count() > 0))
}

// ends reports whether git applies the hunk only at the end of the file, because it ends without context.
func (r *run) ends(w *work) bool {
	if r.isWhole() {
		return true
	}
	_, trailing := edges(w.Lines)
	return !r.zero && trailing == 0
}

func (r *run) fits(w *work, at int) bool {
	n := w.before.count()
	if !r.src.Has(at, w.before.lines, place.Exact) || !r.image.free(at, n) {
		return false
	}
	if !r.edgesFit(w, at) {
		return false
	}
	if n == 0 && (r.wasEmpty() || r.creates(w)) {
		return false
	}
	if n == 0 && at > 0 && !strings.HasSuffix(r.src.Line(at-1), "\n") {
		// The added text would continue the file's last line, which has no newline.
		return false
	}
	return at+n == r.src.Count() || endsLine(w.after)
}

// edgesFit reports whether a hunk that must begin the file is at its first line, and a hunk that must end the file
// at its last lines.
func (r *run) edgesFit(w *work, at int) bool {
	if r.begins(w) && r.image.line(at) != 0 {
		return false
	}
	return !r.ends(w) || at+w.before.count() == r.src.Count() && r.image.atEnd()
}

// creates reports whether a hunk's header says that the hunk creates a file, although the file exists. An insertion
// at the top of the file without context has the same header, and only the `index` line distinguishes the two.
func (r *run) creates(w *work) bool {
	return len(r.all) == 1 && w.Numbered && w.Old == Range{} && r.src.Count() > 0 && !r.proven
}

func (r *run) wasEmpty() bool {
	empty := blob{}
	return r.src.Count() > 0 && empty.is(r.opt.OldBlob)
}

// gitPlaces reports whether git would apply a numbered hunk at any of the places of its old lines. A list that was
// cut short may lack the end of the file, so the end is also checked.
func (r *run) gitPlaces(w *work, places []int) bool {
	if !w.Numbered {
		return false
	}
	end := r.src.Count() - w.before.count()
	return r.ends(w) && end >= 0 && r.fits(w, end) || slices.ContainsFunc(places, func(at int) bool { return r.fits(w, at) })
}

// endsLine reports whether more lines can follow the text of a side.
func endsLine(s side) bool { return s.count() == 0 || s.text[len(s.text)-1] == '\n' }
