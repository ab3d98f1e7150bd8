package hunk

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/place"
)

// narrow returns the only place in the block that begins with the line that a hunk without numbers
// names above itself, or the only place below that line. Otherwise it returns all places.
func (r *run) narrow(w *work, places []int) []int {
	if w.Numbered || w.Section == "" || len(places) < 2 || len(places) > maxPlaces {
		return places
	}
	blocks := place.BlocksOf(r.src.Lines, w.Section, []place.Block{{End: r.src.Count()}})
	if len(blocks) != 1 {
		return places
	}
	for _, within := range [][]place.Block{blocks, {{First: blocks[0].First, End: r.src.Count()}}} {
		inside := slices.DeleteFunc(slices.Clone(places), func(at int) bool { return !place.Within(within, at) })
		if len(inside) == 1 {
			return inside
		}
	}
	return places
}

// rivals returns the only place of a hunk together with the places that match on looser levels.
// If a hunk is not quite in git's form, its author may have ignored tabs, or white space at line
// ends. A place at which lines match exactly has no rivals with another indentation. If git
// accepts the hunk, the place that the header names is a rival.
func (r *run) rivals(w *work, only int, l locate.Level, fits bool) []int {
	stated, ok := r.named(w)
	if ok && stated == only && stated == w.Old.Start-1 {
		return nil
	}
	loosest := locate.Spacing
	if l == locate.Exact {
		loosest = locate.TrailingSpace
	}
	if fits && w.Numbered && w.torn < 0 && !w.miscounts() && ok && r.matchesSpaced(w, stated) {
		return []int{only, stated}
	}
	if l >= loosest || loosest.Same(w.before.lines, w.after.lines) {
		return nil
	}
	places, _ := r.find(w.before.lines, loosest, func(at int) bool { return r.mayPut(w, at) })
	return r.narrow(w, places)
}

// matchesSpaced reports whether the old lines of a hunk match at a line of the source, apart from white space.
// It returns false for a hunk that changes only white space.
func (r *run) matchesSpaced(w *work, at int) bool {
	return at+w.before.count() <= r.src.Count() && r.image.free(at, w.before.count()) &&
		!locate.Spacing.Same(w.before.lines, w.after.lines) && r.src.Has(at, w.before.lines, locate.Spacing)
}

// prefer narrows several places to the one that both numbers of the header name. Git tries that
// place first, and would choose it if the lines matched exactly and the hunk had all its context.
// The exception is a place in the middle of the file for a hunk that must begin or end the file,
// and could do so at another place.
func (r *run) prefer(w *work, places []int) []int {
	at, ok := r.named(w)
	if !ok || at != w.Old.Start-1 || !slices.Contains(places, at) {
		return places
	}
	if !r.edgesFit(w, at) && slices.ContainsFunc(places, func(p int) bool { return r.edgesFit(w, p) }) {
		return places
	}
	return []int{at}
}
