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
	torn          int // the line whose ending is marked as missing although others follow, until it was mended; or -1

	verdict locate.Verdict // Near: the hunk has a place, but git would not take its present form there
	at      int            // line of the source
	line    int            // line of the image for its place
	lost    int            // lines that earlier hunks would have added if they had a place
	moved   bool           // the header names another line, as far as is known
	level   locate.Level   // the level of the match

	respaced bool    // its lost spaces were restored for reading its context lines
	proven   *fitted // the form that the `index` line proves
	doneToo  bool    // the hunk applies, but its result is at the stated place already

	restored *diag.Fix // the certain fix that writes it as it was before it went through an artifact

	places  []int // if several
	tooMany bool  // too many places to check

	// The line of the source at which the result also is, perhaps from an earlier
	// application. -1 for none.
	elsewhere int
}

// count returns the number of source lines at its place.
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

// isNothing reports whether a line has no text and a marker says that it has no ending
// either.
func isNothing(l Line) bool { return l.Text == "" }

// isRewritten reports whether its lines differ from those in the block.
func (w *work) isRewritten() bool {
	last := w.Lines[len(w.Lines)-1].At.End
	return w.torn >= 0 || w.respaced || w.hasBare() || w.Loose > 0 && w.At.End > last+len("\r\n")
}

// miscounts reports whether the counts in the header are wrong.
func (w *work) miscounts() bool {
	return w.Numbered && (w.Old.Count != w.before.count() || w.New.Count != w.after.count())
}

// mayLackEdge reports whether a line may have been lost at an edge of the hunk. That is so
// if the header counts more old lines than there are, and the hunk begins or ends with an
// added line, whose place the lost line would have determined. The edges of the file
// determine it too.
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
