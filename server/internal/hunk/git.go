package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
)

// isWhole reports whether the hunk contains the whole text of the file, before or after the change.
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

// named returns the line of the source that a hunk's header names. git ignores that line if the hunk must end the
// file.
func (r *run) named(w *work) (int, bool) { return r.image.source(r.headerLine(w)) }

// headerLine converts the line number in a hunk's header to a line of the text in which the hunks that already have a
// place are applied. It returns -1 if the header has no line numbers.
func (r *run) headerLine(w *work) int {
	if !w.Numbered {
		return -1
	}
	line := w.New.Start - 1
	if w.after.count() == 0 {
		line++ // if a side is empty, the header names the line above it
	}
	return max(line, 0) - w.lost
}

// begins reports whether the line numbers of a hunk let git apply it only at the top of the file.
// This includes a single hunk without context, because nothing shows that it was made with -U0.
func (r *run) begins(w *work) bool {
	if r.isWhole() {
		return true
	}
	return w.Numbered && (w.Old.Start == 0 || w.Old.Start == 1 && (!r.zero || len(r.all) == 1 && w.before.count() > 0))
}

// ends reports whether git applies the hunk only at the end of the file. This is the case if the
// hunk has no context at its end.
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
		// The added text would continue the last line of the file, which has no newline.
		return false
	}
	return at+n == r.src.Count() || endsLine(w.after)
}

// edgesFit reports whether the edges of the file allow a hunk at a line. A hunk that must begin the file is allowed
// only at its first line, and a hunk that must end the file only at its last lines.
func (r *run) edgesFit(w *work, at int) bool {
	if r.begins(w) && r.image.line(at) != 0 {
		return false
	}
	return !r.ends(w) || at+w.before.count() == r.src.Count() && r.image.atEnd()
}

// creates reports whether a hunk's header says that the hunk creates a file, although the file exists. The header of an
// insertion at the top of the file looks the same if it has no context. Only the `index` line distinguishes the two
// cases.
func (r *run) creates(w *work) bool {
	return len(r.all) == 1 && w.Numbered && w.Old == Range{} && r.src.Count() > 0 && !r.proven
}

func (r *run) wasEmpty() bool {
	empty := blob{}
	return r.src.Count() > 0 && empty.is(r.opt.OldBlob)
}

// gitPlaces reports whether git would apply a numbered hunk at one of the given places, which have the hunk's old
// lines. For a hunk that must end the file, it also checks the end of the file, because the list may lack that place.
func (r *run) gitPlaces(w *work, places []int) bool {
	if !w.Numbered {
		return false
	}
	end := r.src.Count() - w.before.count()
	return r.ends(w) && end >= 0 && r.fits(w, end) || slices.ContainsFunc(places, func(at int) bool { return r.fits(w, at) })
}

// endsLine reports whether more lines can follow the text of a side.
func endsLine(s side) bool { return s.count() == 0 || s.text[len(s.text)-1] == '\n' }
