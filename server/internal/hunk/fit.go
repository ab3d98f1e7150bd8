package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A fitted hunk is one that was rewritten for a place, so that git takes it there.
type fitted struct {
	lines   []Line
	at      int     // line of the source
	certain bool    // its result cannot be meant otherwise
	changed bool    // lines differ from those of the hunk, or were added
	why     string  // what differed; "" for nothing
	joined  []*work // hunks that begin where this one ends, and are written into it
	// The line after which a newline may be meant or not; -1 for none. As written, it
	// leaves the file's end as it is.
	open int
}

// fit rewrites a hunk for the place at a line of the source that its lines match
// but for what the level leaves out. Context and removed lines become those of the
// file; added ones are given its endings and, if all lines are shifted alike, its
// indentation. False where git would not take it there however it is written.
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

// adapted is a hunk with its lines adapted to a place, and nothing else.
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

// extend adds the lines that follow to a hunk that has no context there: git takes
// that for the end of the file. They must not be those of another hunk.
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

// maxJoined is how many hunks are written into one.
const maxJoined = 50

// join goes on with the hunk that begins where one without context ends: there is
// no line between them that could be its context.
func (r *run) join(f *fitted) {
	for r.lacksContext(*f) && len(f.joined) < maxJoined {
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

// gitTakes reports whether git would apply the hunk where it is put.
func (r *run) gitTakes(f fitted) bool {
	before, after := sides(f.lines)
	n := before.count()
	if torn(f.lines) >= 0 || !r.src.Has(f.at, before.lines, locate.Exact) || f.at+n < r.src.Count() && !endsLine(after) {
		return false
	}
	return !r.lacksContext(f)
}

// lacksContext reports whether git would take the hunk for the end of the file,
// which it is not.
func (r *run) lacksContext(f fitted) bool {
	before, _ := sides(f.lines)
	_, trailing := edges(f.lines)
	return !r.zero && trailing == 0 && f.at+before.count() < r.src.Count()
}
