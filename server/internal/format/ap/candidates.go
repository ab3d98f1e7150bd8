package ap

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// candidates returns the places of the snippet that may be the intended one.
func (r *run) candidates(j job, s search) (candidates, *diag.Diagnostic) {
	if j.field(kwAnchor) != nil {
		return r.anchored(j, s)
	}
	c := candidates{scope: scope{from: r.cursor}, found: s.all(r.cursor, mostListed)}
	if len(c.found) == 0 && j.restart {
		s.written = false
		if c.found = s.all(0, mostListed); len(c.found) > 0 {
			r.cursor, c.from = 0, 0
		}
	}
	if len(c.found) == mostListed && j.left >= mostListed {
		c.count = r.countFrom(j, s, c)
		if j.action == kwInsertBefore {
			c.count -= r.taken[j.key].countFrom(r.t, c.from)
		}
		c.found = r.free(j, c.found)
		return c, nil
	}
	c.found = r.free(j, c.found)
	c.count = len(c.found)
	return c, nil
}

// countFrom counts the places of a locator that several modifications share. Places below the
// last change consist of lines of the file, and are searched for only once.
func (r *run) countFrom(j job, s search, c candidates) int {
	if c.found[0].prefix != "" {
		return len(s.all(c.from, j.left+1))
	}
	n := 0
	s.exact(c.from, func(at region) bool {
		if at.start < r.t.touched() {
			n++
		}
		return at.start < r.t.touched()
	})
	starts, ok := r.starts[j.key]
	if !ok {
		r.t.pristine().runs(s.l.bodies, 0, func(at region) bool { starts = append(starts, at.start); return true })
		r.starts[j.key] = starts
	}
	first, _ := slices.BinarySearch(starts, r.t.rest+max(c.from-r.t.touched(), 0))
	return n + len(starts) - first
}

// A taken records the lines before which insertions with the same locator wrote their contents.
// These lines stay below the cursor, but no other insertion may use them.
type taken struct {
	ids  []int // IDs of the lines, from top to bottom
	seen map[int]bool
}

// take records the line before which an insertion was made.
func (r *run) take(j job, line int) {
	k := r.taken[j.key]
	if k == nil {
		k = &taken{seen: map[int]bool{}}
		r.taken[j.key] = k
	}
	id := r.t.id(line)
	k.ids, k.seen[id] = append(k.ids, id), true
}

// countFrom counts the taken lines at or below a given line.
func (k *taken) countFrom(t *target, from int) int {
	if k == nil {
		return 0
	}
	n := 0
	for _, id := range slices.Backward(k.ids) {
		if t.isGone(id) {
			continue
		}
		if t.now(id) < from {
			break
		}
		n++
	}
	return n
}

// free removes the places that earlier insertions have taken.
func (r *run) free(j job, found []region) []region {
	k := r.taken[j.key]
	if k == nil || j.action != kwInsertBefore {
		return found
	}
	return slices.DeleteFunc(found, func(at region) bool { return k.seen[r.t.id(at.start)] })
}

// anchored returns the places of the snippet below the anchor. If the anchor occurs several
// times, only the one occurrence counts below which the snippet has a place (rule A52).
func (r *run) anchored(j job, s search) (candidates, *diag.Diagnostic) {
	a := r.search(j, kwAnchor)
	anchors := a.all(0, 4*mostListed)
	if len(anchors) == 0 {
		return candidates{}, r.anchorMissing(j, a)
	}
	var scopes []scope
	var firsts []region
	for _, anchor := range anchors {
		sc := scope{from: max(r.cursor, r.scopeStart(j, anchor)), anchored: true, anchor: anchor}
		found := s.all(sc.from, 1)
		if len(found) > 0 && (len(firsts) == 0 || firsts[len(firsts)-1] != found[0]) {
			scopes, firsts = append(scopes, sc), append(firsts, found[0])
		}
	}
	switch {
	case len(firsts) == 0:
		return candidates{scope: scope{from: max(r.cursor, r.scopeStart(j, anchors[0])), anchored: true, anchor: anchors[0]}}, nil
	case len(firsts) == 1, len(firsts) == j.left:
		return r.placesIn(j, s, scopes[0]), nil
	}
	if i := r.onlyDone(j, scopes, firsts); i >= 0 {
		return r.placesIn(j, s, scopes[i]), nil
	}
	return candidates{}, r.anchorAmbiguous(j, a, anchors)
}

func (r *run) placesIn(j job, s search, sc scope) candidates {
	c := candidates{scope: sc, found: r.free(j, s.all(sc.from, mostListed))}
	c.count = len(c.found)
	return c
}

// onlyDone returns the index of the only occurrence of the anchor below which the result of the
// modification is found, or -1.
func (r *run) onlyDone(j job, scopes []scope, firsts []region) int {
	only := -1
	for i := range firsts {
		if done := r.doneAt(j, scopes[i], firsts[i:i+1]); len(done) > 0 {
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	return only
}

// scopeStart returns the line at which an anchor's scope starts: the one below the anchor. In
// 3.2, the scope includes the anchor if the snippet overlaps it (rule A57).
func (r *run) scopeStart(j job, anchor region) int {
	if r.version == v32 && overlap(j.solid(kwAnchor), j.solid(kwSnippet)) {
		return anchor.start
	}
	return anchor.end
}

// overlap reports whether an anchor and a snippet overlap: one contains the other, or the snippet
// begins with the end of the anchor.
func overlap(anchor, snippet []string) bool {
	for i := range anchor {
		n := min(len(anchor)-i, len(snippet))
		if slices.Equal(anchor[i:i+n], snippet[:n]) {
			return true
		}
	}
	for i := range snippet {
		n := min(len(snippet)-i, len(anchor))
		if n == len(anchor) && slices.Equal(snippet[i:i+n], anchor) {
			return true
		}
	}
	return false
}
