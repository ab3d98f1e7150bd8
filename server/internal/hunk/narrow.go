package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// narrow uses the lines that a hunk without numbers names above itself. If each of them occurs
// once, and exactly one of the places is in the block below them, it returns only that place.
func (r *run) narrow(w *work, places []int) []int {
	if w.Numbered || len(places) < 2 || len(places) > maxPlaces {
		return places
	}
	anchor := -1
	for _, name := range w.names() {
		at, ok := r.only(name, anchor+1)
		if !ok {
			return places
		}
		anchor = at
	}
	if anchor < 0 {
		return places
	}
	var below, inside []int
	for _, at := range places {
		if at > anchor {
			below = append(below, at)
			if r.encloses(anchor, at) {
				inside = append(inside, at)
			}
		}
	}
	switch {
	case len(below) == 1:
		return below
	case len(inside) == 1:
		return inside
	}
	return places
}

// names returns the line that a hunk names above itself, or nil.
func (w *work) names() []string {
	if w.Section == "" {
		return nil
	}
	return []string{w.Section}
}

// only returns the only line, from the given one on, that equals name. A line that begins with
// name counts, too, because git cuts long lines.
func (r *run) only(name string, from int) (int, bool) {
	if locate.IsBlank(name) {
		return 0, false
	}
	whole, n := 0, 0
	ok := r.src.Find([]string{name}, locate.Spacing, func(line int) bool {
		if line >= from {
			whole, n = line, n+1
		}
		return n < 2
	})
	if ok && n == 0 {
		return r.onlyPart(strings.TrimSpace(name), from)
	}
	return whole, ok && n == 1
}

// maxScans is the largest number of searches of the whole file for lines that begin with a name.
const maxScans = 50

func (r *run) onlyPart(name string, from int) (at int, ok bool) {
	if r.scans++; r.scans > maxScans {
		return 0, false
	}
	for i := from; i < r.src.Count(); i++ {
		line := strings.TrimLeft(r.src.Line(i), spaces)
		if !strings.HasPrefix(line, name) || locate.CutsWord(line, len(name)) && len(name) < cutAt {
			continue
		}
		if ok {
			return 0, false
		}
		at, ok = i, true
	}
	return at, ok
}

// cutAt is the least length in bytes of a line in a header that git may have cut. It allows for
// some indentation.
const cutAt = 60

// encloses reports whether all lines between an anchor and a place are indented more than the
// anchor. A line with only an opening brace may be an exception.
func (r *run) encloses(anchor, at int) bool {
	least := len(locate.Indentation(r.src.Line(anchor)))
	for i := anchor + 1; i <= at; i++ {
		line := r.src.Line(i)
		if !locate.IsBlank(line) && len(locate.Indentation(line)) <= least && strings.TrimSpace(line) != "{" {
			return false
		}
	}
	return true
}

// rivals returns the only place of a hunk together with the places that match on looser levels.
// If a hunk is not quite in git's form, its author may have ignored tabs, or white space at line
// ends. A place at which lines match exactly has no rivals with another indentation. If git
// accepts the hunk, the place that the header names is a rival.
func (r *run) rivals(w *work, place int, l locate.Level, fits bool) []int {
	stated, ok := r.named(w)
	if ok && stated == place && stated == w.Old.Start-1 {
		return nil
	}
	loosest := locate.Spacing
	if l == locate.Exact {
		loosest = locate.TrailingSpace
	}
	if fits && w.Numbered && w.torn < 0 && !w.miscounts() && ok && r.like(w, stated) {
		return []int{place, stated}
	}
	if l >= loosest || loosest.Same(w.before.lines, w.after.lines) {
		return nil
	}
	places, _ := r.find(w.before.lines, loosest, func(at int) bool { return r.may(w, at) })
	return r.narrow(w, places)
}

// like reports whether the old lines of a hunk match at a line of the source. White space does
// not count.
func (r *run) like(w *work, at int) bool {
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
