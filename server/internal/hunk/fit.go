package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// A fitted is a hunk that was rewritten so that git takes it at a place.
type fitted struct {
	lines   []Line
	at      int     // line of the source
	certain bool    // no other result can be meant
	changed bool    // lines differ from those of the hunk, or were added
	why     string  // the difference; "" for none
	joined  []*work // hunks that begin at the end of this one, and are written into it
	// The index of a line whose newline may be meant or not; -1 for none. As written, it
	// leaves the file's end unchanged.
	open int
}

// fit rewrites a hunk for a place in the source that its lines match on the level. Context
// and removed lines become those of the file. Added lines take its endings and, if all
// lines are shifted alike, its indentation. It returns false if git would not take the hunk
// there in any form.
func (r *run) fit(w *work, at int, l locate.Level) (fitted, bool) {
	if w.proven != nil {
		return *w.proven, true
	}
	f := r.adapted(w, at, r.adapter(w, at, l))
	if l > locate.Exact {
		r.fitMark(w, &f)
	}
	r.fitEnd(w, &f)
	r.extend(&f)
	r.join(&f)
	f.changed = w.isRewritten() || len(f.joined) > 0 || !slices.EqualFunc(f.lines, w.Lines, func(a, b Line) bool { return a.Op == b.Op && a.Text == b.Text })
	return f, r.gitTakes(f)
}

// adapted returns a hunk with its lines adapted to a place, without further changes.
func (r *run) adapted(w *work, at int, a *adapter) fitted {
	f := fitted{at: at, why: a.why, open: -1}
	k := 0
	for _, line := range w.Lines {
		if line.Op == '+' {
			line.Text = a.added(line.Text, k)
		} else {
			line.Text = a.has[k]
			k++
		}
		f.lines = append(f.lines, line)
	}
	f.certain = a.certain && !r.disproven && w.elsewhere < 0 && (a.level == locate.Exact || a.telling()) && !r.mayLackEdge(w, at)
	if w.respaced || w.hasBare() {
		f.certain = f.certain && a.telling() && r.spacesAreLost(w) && !r.mayBeContext(w)
	}
	return f
}

// extend appends the lines that follow if the hunk has no trailing context, because git
// requires such a hunk to end the file. The lines must not belong to another hunk.
func (r *run) extend(f *fitted) {
	if _, trailing := edges(f.lines); trailing > 0 || r.zero {
		return
	}
	before, _ := sides(f.lines)
	end := f.at + before.count()
	for i := end; i < min(end+contextLines, r.src.Count()) && r.image.taken[i] == 0 && (i == end || r.image.wedge[i] == 0); i++ {
		f.lines = append(f.lines, Line{Op: ' ', Text: r.src.Line(i)})
	}
}

// maxJoined limits the hunks that are written into one.
const maxJoined = 50

// eachJoined is the cost of a line of a hunk, each time that another one is joined to it, in
// units.
const eachJoined = 8 * meter.Line

// join appends the hunks that begin where a hunk without trailing context ends, because
// there is no line between them for the context.
func (r *run) join(f *fitted) {
	for len(f.joined) < maxJoined && r.src.Meter().Pay(eachJoined*len(f.lines)) && r.lacksContext(*f) {
		before, _ := sides(f.lines)
		next := r.starts[f.at+before.count()]
		if next == nil {
			return
		}
		a := r.adapter(next, next.at, next.level)
		g := r.adapted(next, next.at, a)
		f.certain = f.certain && g.certain
		f.lines, f.joined = append(f.lines, g.lines...), append(f.joined, next)
		r.extend(f)
	}
}

// gitTakes reports whether git would apply the hunk at its place.
func (r *run) gitTakes(f fitted) bool {
	before, after := sides(f.lines)
	n := before.count()
	if torn(f.lines) >= 0 || !r.src.Has(f.at, before.lines, locate.Exact) || f.at+n < r.src.Count() && !endsLine(after) {
		return false
	}
	return !r.lacksContext(f)
}

// lacksContext reports whether git would require the hunk to end the file although it does
// not.
func (r *run) lacksContext(f fitted) bool {
	before, _ := sides(f.lines)
	_, trailing := edges(f.lines)
	return !r.zero && trailing == 0 && f.at+before.count() < r.src.Count()
}
