package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// A fitted is a hunk that was rewritten so that git applies it at a place.
type fitted struct {
	lines   []Line
	at      int     // the place, as a line of the source
	certain bool    // no other result can be the intended one
	changed bool    // some lines differ from the hunk's, or were added
	why     string  // the difference that was corrected; "" if there is none
	joined  []*work // hunks that begin where this one ends, and are written into it
	// The index of the line with a newline that may or may not be meant; -1 if there is none. As
	// written, the line leaves the file's end unchanged.
	open int
}

// fit rewrites a hunk for a place in the source at which its lines match on the level. Context
// and removed lines are taken from the file. Added lines get the file's endings and, if all lines
// are shifted alike, its indentation. It returns false if git would not apply the hunk there in
// any form.
func (r *run) fit(w *work, at int, l locate.Level) (fitted, bool) {
	if w.proven != nil {
		return *w.proven, true
	}
	f := r.adapted(w, at, l)
	if l > locate.Exact {
		r.fitMark(w, &f)
	}
	r.fitEnd(w, &f)
	r.extend(&f)
	r.join(&f)
	f.changed = w.isRewritten() || len(f.joined) > 0 || !slices.EqualFunc(f.lines, w.Lines, sameLine)
	return f, r.gitTakes(f)
}

// extend appends the following lines to a hunk without context at its end, because git applies
// such a hunk only at the end of the file. The lines must not belong to another hunk.
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

// maxJoined is the largest number of hunks that are written into one.
const maxJoined = 50

// eachJoined is the cost of a line of a hunk whenever another hunk is joined to it, in units.
const eachJoined = 8 * meter.Line

// join appends the hunks that begin where a hunk without context at its end stops. No line lies
// between them that could serve as context.
func (r *run) join(f *fitted) {
	for len(f.joined) < maxJoined && r.src.Meter().Pay(eachJoined*len(f.lines)) && r.lacksContext(*f) {
		before, _ := sides(f.lines)
		next := r.starts[f.at+before.count()]
		if next == nil {
			return
		}
		g := r.adapted(next, next.at, next.level)
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

// lacksContext reports whether git would apply the hunk only at the end of the file, although the
// hunk belongs elsewhere.
func (r *run) lacksContext(f fitted) bool {
	before, _ := sides(f.lines)
	_, trailing := edges(f.lines)
	return !r.zero && trailing == 0 && f.at+before.count() < r.src.Count()
}
