package ap

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const mostListed = 50

// A scope is the part of the file in which a snippet is searched for.
type scope struct {
	from     int
	anchored bool   // an anchor is above the scope, so the first occurrence in the scope is the place
	anchor   region // the place of the anchor
}

type candidates struct {
	scope
	found []region // the first places, from top to bottom
}

func (r *run) search(j job, keyword string) search {
	return search{t: r.t, l: r.t.locator(j.field(keyword).lines), version: r.version, written: r.version == v31 || j.of > 1}
}

// locate returns the place of a modification (rules A31 to A37).
func (r *run) locate(j job) (hit, *diag.Diagnostic) {
	if h, ok := r.boundary(j); ok {
		return r.atBoundary(j, h)
	}
	s := r.search(j, kwSnippet)
	c, problem := r.candidates(j, s)
	if problem != nil {
		return hit{}, problem
	}
	done := r.doneAt(j, c.scope, c.found)
	r.t.lines.Meter().Pay(eachCompared * len(c.found) * (1 + len(done)))
	fresh := slices.DeleteFunc(slices.Clone(c.found), func(f region) bool {
		return slices.ContainsFunc(done, func(d hit) bool { return d.at.contains(f) || d.snippetAt == f })
	})
	n := len(c.found)
	r.ordered[j.key] = r.ordered[j.key] || n == j.left && n > 1
	switch {
	case n == 0, c.found[0].prefix != "" && j.action == kwReplace && len(r.contents(j, c.from, 1)) > 0:
		return r.gone(j, c.scope, s)
	case c.anchored, n == j.left, r.ordered[j.key], n < j.left && len(done) > 0:
		h, problem := r.first(j, c.scope, fresh, done)
		h.nth = !c.anchored && r.ordered[j.key]
		return h, problem
	case len(fresh) == 0:
		return done[0], nil
	case len(fresh) == 1 && len(done) == 0:
		return r.withRange(j, hit{snippetAt: fresh[0]})
	}
	fresh = append(fresh, text.Each(done, func(d hit) region { return d.snippetAt })...)
	return hit{}, r.ambiguous(j, s, fresh)
}

// first chooses the topmost place. `fresh` are the places with the snippet, and `done` are the places with the
// result.
func (r *run) first(j job, sc scope, fresh []region, done []hit) (hit, *diag.Diagnostic) {
	if len(fresh) == 0 || len(done) > 0 && done[0].at.start <= fresh[0].start {
		return done[0], nil
	}
	d, ok := r.doneBefore(j, sc, fresh[0])
	if ok {
		return d, nil
	}
	h, problem := r.withRange(j, hit{snippetAt: fresh[0]})
	maybe := func(format string, args ...any) {
		h.maybe = append(h.maybe, fmt.Sprintf(format, append([]any{r.t.number(fresh[0].start)}, args...)...))
	}
	if d.done {
		maybe("the content is already on line %[2]d, below the anchor, so this patch may already have been applied; if so, the snippet on line %[1]d is a different occurrence, and must not change", r.t.number(d.at.start))
	}
	if sc.anchored && j.field(kwTail) == nil && j.onlyRemoves() {
		if r.leavesBlock(sc, fresh[0]) {
			maybe("the snippet on line %d is after the block that the anchor opens; if this patch was already applied, this is a different occurrence, and must not change")
		}
		if len(fresh) > 1 && r.repeats(sc, fresh[0], fresh[1]) {
			maybe("the snippet is on line %d and again on line %d; if this patch was already applied, another apply would remove a second occurrence", r.t.number(fresh[1].start))
		}
	}
	return h, problem
}

// repeats reports whether a second apply would find the snippet again: its next place directly follows the first, or
// is in the block that begins at the anchor.
func (r *run) repeats(sc scope, first, next region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && next.start < end || r.t.solidFrom(first.end) >= next.start
}

func (r *run) leavesBlock(sc scope, at region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && at.start >= end
}

func (r *run) candidates(j job, s search) (candidates, *diag.Diagnostic) {
	if j.field(kwAnchor) != nil {
		return r.anchored(j, s)
	}
	most := mostListed
	// The first modification with this locator needs the number of all places.
	if j.left == j.of {
		most = max(most, j.left+1)
	}
	c := candidates{scope: scope{from: r.cursor}, found: s.all(r.cursor, most)}
	if len(c.found) == 0 && j.restart {
		s.written = false
		if c.found = s.all(0, most); len(c.found) > 0 {
			r.cursor, c.from = 0, 0
		}
	}
	c.found = r.free(j, c.found)
	return c, nil
}

// take records that an insertion was made before a line. The line is still below the cursor, but another insertion
// with the same locator must use another line.
func (r *run) take(j job, line int) {
	if r.taken[j.key] == nil {
		r.taken[j.key] = map[int]bool{}
	}
	r.taken[j.key][r.t.id(line)] = true
}

// free returns the places that no earlier insertion took.
func (r *run) free(j job, found []region) []region {
	taken := r.taken[j.key]
	if taken == nil || j.action != kwInsertBefore {
		return found
	}
	return slices.DeleteFunc(found, func(at region) bool { return taken[r.t.id(at.start)] })
}

// anchored returns the places of the snippet below the anchor. If the anchor occurs several times, only one
// occurrence may have a place of the snippet below it (rule A52).
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
		return candidates{scope: scopes[0], found: r.free(j, s.all(scopes[0].from, mostListed))}, nil
	}
	return candidates{}, problem(diag.APAnchorAmbiguous, j.field(kwAnchor), fmt.Sprintf(
		"the anchor occurs in %s %s, and the snippet follows more than one of these places; write an anchor that occurs only once", r.path, r.onLines(anchors)))
}

// scopeStart returns the first line of an anchor's scope: the line below the anchor or, in 3.2, the anchor's first
// line if the anchor and the snippet overlap (rule A57).
func (r *run) scopeStart(j job, anchor region) int {
	if r.version == v32 && overlap(j.solid(kwAnchor), j.solid(kwSnippet)) {
		return anchor.start
	}
	return anchor.end
}

// overlap reports whether an anchor and a snippet share lines: one contains the other, or the snippet begins with
// the last lines of the anchor.
func overlap(anchor, snippet []string) bool {
	i := meeting(snippet, anchor)
	return meeting(anchor, snippet) >= 0 || i >= 0 && i+len(anchor) <= len(snippet)
}

// meeting returns the first index from which `lines` equals the beginning of `others`, as far as the shorter of the
// two reaches. It returns -1 if there is none.
func meeting(lines, others []string) int {
	for i := range lines {
		if n := min(len(lines)-i, len(others)); slices.Equal(lines[i:i+n], others[:n]) {
			return i
		}
	}
	return -1
}

// boundary returns the place that the snippet ^ or $ names (rule A36).
func (r *run) boundary(j job) (hit, bool) {
	f := j.field(kwSnippet)
	if r.version != v32 || len(f.lines) != 1 {
		return hit{}, false
	}
	switch f.lines[0] {
	case "^":
		return hit{}, true
	case "$":
		n := r.t.count()
		return hit{snippetAt: region{start: n, end: n}}, true
	}
	return hit{}, false
}

// atBoundary takes a place at the start or the end of the file, and extends it to the tail. If the tail is missing but
// the content is at the place, the content has already replaced the tail.
func (r *run) atBoundary(j job, h hit) (hit, *diag.Diagnostic) {
	ranged, problem := r.withRange(j, h)
	if p := r.content(j); problem != nil && p.count() > 0 && r.t.has(p, h.snippetAt.start) {
		h.at, h.done = region{start: h.snippetAt.start, end: h.snippetAt.start + p.count()}, true
		return h, nil
	}
	return ranged, problem
}

// withRange extends a place to the tail or over the block that begins at the snippet, and over blank lines. It also
// checks whether the content is already there.
func (r *run) withRange(j job, h hit) (hit, *diag.Diagnostic) {
	at := h.snippetAt
	at.prefix = ""
	if tail := j.field(kwTail); tail != nil && !r.tailInSnippet(j) {
		end, problem := r.tail(j, tail, h.snippetAt)
		if problem != nil {
			return hit{}, problem
		}
		at.end = end
	} else if j.scopeEnd {
		at.end = r.scopeEnd(j, h.snippetAt)
	}
	h.at = r.widen(j, at)
	if to := r.guarded(j, h.at); to != h.at {
		h.at, h.movedFrom = to, at
	}
	switch j.action {
	case kwInsertAfter:
		h.at.start = h.at.end
	case kwInsertBefore:
		h.at.end = h.at.start
	}
	p := r.content(j)
	if p.count() == 0 {
		return h, nil
	}
	if i, ok := r.alreadyAt(j, h, at, p); ok {
		h.at, h.done = region{start: i, end: i + p.count()}, true
	} else if j.action == kwReplace && j.field(kwTail) != nil && at.start+p.count() < at.end && r.t.has(p, at.start) {
		h.maybe = append(h.maybe, fmt.Sprintf("the content is already on line %d, at the beginning of the range; if this patch was already applied, the rest of the range, up to line %d, must stay", r.t.number(at.start), r.t.number(h.at.end-1)))
	}
	return h, nil
}

// widen adds the blank lines around a region that the modification removes (rule A39).
func (r *run) widen(j job, at region) region {
	for n := j.leading; n > 0 && at.start > 0 && r.t.isBlank(at.start-1); n-- {
		at.start--
	}
	for n := j.trailing; n > 0 && at.end < r.t.count() && r.t.isBlank(at.end); n-- {
		at.end++
	}
	return at
}

// tailInSnippet reports whether the snippet ends with the tail, so that it is the whole range (rule A51).
func (r *run) tailInSnippet(j job) bool {
	tail, snippet := j.solid(kwTail), j.solid(kwSnippet)
	n := len(snippet) - len(tail)
	return n >= 0 && len(tail) > 0 && slices.Equal(snippet[n:], tail)
}

// tail returns the line after the range from the snippet to the tail.
func (r *run) tail(j job, tail *field, snippet region) (int, *diag.Diagnostic) {
	if r.isEnd(tail) {
		return r.t.count(), nil
	}
	s := r.search(j, kwTail)
	if found := s.all(snippet.end, 1); len(found) > 0 {
		return found[0].end, nil
	}
	return 0, r.tailMissing(j, snippet)
}

func (r *run) isEnd(tail *field) bool {
	return r.version == v32 && len(tail.lines) == 1 && tail.lines[0] == "$"
}

func (r *run) content(j job) passage {
	p, ok := r.passages[j.number]
	if !ok {
		p = r.t.passage(j.content)
		r.passages[j.number] = p
	}
	return p
}

// contents returns at most `most` places of a modification's content, from line `from` on.
func (r *run) contents(j job, from, most int) []region {
	var found []region
	r.t.passages(r.content(j), from, r.t.count(), func(at region) bool {
		found = append(found, at)
		return len(found) < most
	})
	return found
}

func solidLines(lines []string) []string {
	return text.Only(lines, func(line string) bool { return !text.IsBlank(line) })
}
