package ap

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// mostListed is the largest number of places that a message can name.
const mostListed = 50

// A scope is the part of the file that is searched for the snippet of a modification.
type scope struct {
	from     int
	anchored bool   // an anchor precedes the scope, so the first occurrence is meant
	anchor   region // the place of the anchor
}

// A candidates value holds the places of a snippet in its scope.
type candidates struct {
	scope
	found []region // the first ones, up to mostListed
	count int      // number of all places
}

func (r *run) search(j job, keyword string) search {
	return search{t: r.t, l: r.t.locator(j.field(keyword).lines), version: r.version, written: r.version == v31 || j.of > 1}
}

// locate decides on the place of a modification (rules A31 to A37).
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
	fresh := slices.DeleteFunc(slices.Clone(c.found), func(f region) bool {
		return slices.ContainsFunc(done, func(d hit) bool { return d.at.contains(f) || d.where == f })
	})
	listed := c.count == len(c.found)
	switch {
	case c.count == 0, c.found[0].prefix != "" && j.action == kwReplace && len(r.contents(j, c.from, 1)) > 0:
		return r.gone(j, c.scope, s)
	case c.anchored, c.count == j.left, c.count < j.left && len(done) > 0:
		h, problem := r.first(j, c.scope, fresh, done)
		h.nth = !c.anchored && c.count == j.left && j.left > 1
		return h, problem
	case listed && len(fresh) == 0:
		return done[0], nil
	case listed && len(fresh) == 1 && len(done) == 0:
		return r.withRange(j, hit{where: fresh[0]})
	}
	return hit{}, r.ambiguous(j, s, c.scope, append(fresh, wheres(done)...))
}

func wheres(done []hit) []region {
	var out []region
	for _, d := range done {
		out = append(out, d.where)
	}
	return out
}

// first chooses the first of some places. The fresh ones have the snippet, and the done ones the
// result.
func (r *run) first(j job, sc scope, fresh []region, done []hit) (hit, *diag.Diagnostic) {
	if len(fresh) == 0 || len(done) > 0 && done[0].at.start <= fresh[0].start {
		return done[0], nil
	}
	d, ok := r.doneBefore(j, sc, fresh[0])
	if ok {
		return d, nil
	}
	h, problem := r.withRange(j, hit{where: fresh[0]})
	h.before = d.at
	h.outside = sc.anchored && j.action == kwDelete && r.leavesBlock(sc, fresh[0])
	return h, problem
}

// leavesBlock reports whether a place is after the end of the block that the anchor opens.
func (r *run) leavesBlock(sc scope, at region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && at.start >= end
}
