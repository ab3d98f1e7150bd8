package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A work is a hunk that is being placed.
type work struct {
	*Hunk
	before, after side
	skipped       bool
	torn          int // the line to which a marker denied its newline although other lines follow, which was mended; -1 if there is none

	verdict locate.Verdict // Near means that the hunk has a place at which git would not apply its present form
	at      int            // the place, as a line of the source
	line    int            // the place, as a line of the image
	lost    int            // number of lines that earlier hunks would have added if they had a place
	moved   bool           // the header names another line, and the places of all earlier hunks are known
	level   locate.Level   // the level on which the lines match

	respaced bool    // the spaces that its context lines lost have been restored
	proven   *fitted // the form that the `index` line proves to be the intended one
	doneToo  bool    // the hunk applies, but the stated place already has its result

	restored *diag.Fix // the certain fix that writes the hunk as it was before an artifact altered it

	places  []int // the places, if there are several
	tooMany bool  // there are too many places to check

	// The line of the source at which the result also is, perhaps because the hunk was applied
	// before; -1 if there is none.
	elsewhere int
}

// count returns the number of lines of the source that the hunk's place has.
func (w *work) count() int {
	if w.verdict == locate.Done {
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
	w := &work{elsewhere: -1, torn: torn(h.Lines)}
	if w.torn >= 0 {
		h.Lines = mended(h.Lines)
	}
	w.Hunk = &h
	w.before, w.after = sides(h.Lines)
	return w
}

// isNothing reports whether nothing is left of a line that has no newline according to a marker.
func isNothing(l Line) bool { return l.Text == "" }

// isRewritten reports whether the hunk's lines differ from those in the block.
func (w *work) isRewritten() bool {
	last := w.Lines[len(w.Lines)-1].At.End
	return w.torn >= 0 || w.respaced || w.hasBare() || w.Loose > 0 && w.At.End > last+len("\r\n")
}

// miscounts reports whether the counts in the header are wrong.
func (w *work) miscounts() bool {
	return w.Numbered && (w.Old.Count != w.before.count() || w.New.Count != w.after.count())
}

// mayLackEdge reports whether a line may have been lost at an edge of the hunk: the header counts more old
// lines than the hunk has, and the hunk begins or ends with an added line. The lost line would have
// determined the place of the added line. At an edge of the file, the place is known without it.
func (r *run) mayLackEdge(w *work, at int) bool {
	n := w.before.count()
	if !w.Numbered || w.Old.Count <= n || len(w.Lines) == 0 {
		return false
	}
	first, last := w.Lines[0].Op, w.Lines[len(w.Lines)-1].Op
	if first == '+' && at > 0 {
		return true
	}
	return last == '+' && at+n < r.src.Count() && !(w.Loose > 0 && locate.IsBlank(r.src.Line(at+n)))
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
