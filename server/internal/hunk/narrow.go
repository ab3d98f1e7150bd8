package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// narrow uses the lines that a hunk without numbers names above itself. Where they are
// there once, and one place is in what they begin, it is that place.
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

// names is the line that a hunk names above itself, if it names one.
func (w *work) names() []string {
	if w.Section == "" {
		return nil
	}
	return []string{w.Section}
}

// only is the one line, from a line on, that name names: all of it, or its
// beginning, as git cuts long ones.
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

// maxScans is how often the whole file is read for lines that begin with a name.
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

// cutAt is how much of a line git writes into a header at most, in bytes, with some
// of them to spare for indentation.
const cutAt = 60

// encloses reports whether the lines between an anchor and a place are all
// indented more than the anchor, but for one that only opens a brace.
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

// rivals are the only place of a hunk and those that it would have if less counted.
// A hunk that is not quite git's may be by someone who did not see white space at line
// ends, nor tabs. Lines that are exactly those of one place are not those of another
// one with other indentation; where git takes the hunk, what is where the header says
// counts.
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

// like reports whether the old lines of a hunk are at a line of the source, white space
// aside.
func (r *run) like(w *work, at int) bool {
	return at+w.before.count() <= r.src.Count() && r.image.free(at, w.before.count()) &&
		!locate.Spacing.Same(w.before.lines, w.after.lines) && r.src.Has(at, w.before.lines, locate.Spacing)
}

// prefer leaves the place that both numbers of the header name, of several: git
// looks there first, and would take it if the lines were written as the file has
// them, and one that lacks context had it, unless it could end or begin the file.
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
