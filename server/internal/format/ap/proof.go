package ap

import (
	"cmp"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// isDone reports whether the file already has the results of all modifications, and records their places. A single
// modification cannot be judged alone, because another one may have written its snippet again.
//
// The file must have the results from top to bottom, and making the modifications again must give the current lines.
// If a snippet occurs again farther down below its anchor, the modification may be meant for that place, so it
// counts as done only if another modification is certainly done.
func (r *run) isDone() bool {
	p := &proof{run: r}
	if !p.try() {
		late, ok := p.latest()
		if p = (&proof{run: r, late: late}); !ok || !p.try() {
			return false
		}
	}
	for _, c := range p.claims {
		r.places = append(r.places, r.place(c.job, c.hit))
		r.alreadyDone(c.job, c.hit)
	}
	return true
}

// A proof is the evidence that all modifications are done.
type proof struct {
	*run
	claims []claim
	// The last possible place of each content, by the number of its modification, as [proof.latest] returns it. It
	// is nil during the first try, which uses the first possible places.
	late map[int]int
	at   int // the line after the last claim
}

// A claim is the assumption that a modification was already made at a place.
type claim struct {
	job
	scope
	hit
	pinned bool // the place of deleted lines is known
}

// try searches for the result of each modification, from top to bottom, and makes the modifications again to check
// the places.
func (p *proof) try() bool {
	for i, j := range p.jobs {
		if p.t.lines.Meter().Spent() || !p.skipped(j) && !p.place(i, j) {
			return false
		}
	}
	return len(p.claims) > 0 && p.replays() && p.isNoAccident()
}

// isNoAccident reports whether the file certainly has the results because of the modifications, and not by chance.
func (p *proof) isNoAccident() bool {
	sure, several, doubtful := false, false, false
	owner := p.owners()
	// lone are the claims with no evidence but the content. Two of them in the right order cannot be chance.
	var lone []claim
	for i := range p.claims {
		c := &p.claims[i]
		_, atEnd := p.boundary(c.job)
		left, ok := p.leftFor(*c, owner)
		solid := len(solidLines(c.content))
		switch {
		case atEnd, c.action == kwInsertAfter, c.action == kwInsertBefore:
			sure = sure || solid > 0
		case !ok:
			several = several || solid > 1
			if solid > 0 {
				lone = append(lone, *c)
			}
		// The snippet is only the end of a longer line in the file.
		case left.prefix != "":
			c.other = left
			sure, doubtful = sure || solid > 0, doubtful || solid == 0
		case solid == 0 && !p.leavesBlock(c.scope, left):
			return false
		default:
			c.other, doubtful = left, true
			_, special := p.doneBefore(c.job, c.scope, left)
			sure = sure || special
		}
	}
	if len(lone) == 1 && !sure && p.byChance(lone[0].job, lone[0].scope, lone[0].at) {
		return false
	}
	return !doubtful || sure || several || p.in.Applied
}

// leftFor returns the first place at which the snippet of a REPLACE or DELETE still occurs. At least one of its
// lines must not be from the patch, and none from another modification.
func (p *proof) leftFor(c claim, owner []int) (region, bool) {
	s := p.search(c.job, kwSnippet)
	s.written = true
	for _, at := range s.all(c.from, mostListed) {
		open, foreign := false, false
		for i := at.start; i < at.end; i++ {
			if !p.t.isBlank(i) {
				open = open || owner[i] == 0
				foreign = foreign || owner[i] != 0 && owner[i] != c.number
			}
		}
		if open && !foreign {
			return at, true
		}
	}
	return region{}, false
}

// owners returns, for each line, the number of the modification that wrote it, or 0.
func (p *proof) owners() []int {
	owner := make([]int, p.t.count())
	for _, c := range p.claims {
		for i := c.at.start; i < c.at.end; i++ {
			owner[i] = cmp.Or(owner[i], c.number)
		}
	}
	return owner
}

func (r *run) skipped(j job) bool { return r.in.Skipped[j.at] }

// latest returns the last possible places of the contents of modifications without an anchor, except INSERT_AFTERs.
// It searches from bottom to top, because short content may occur by chance above its own place. ok is false if a
// content is missing.
func (p *proof) latest() (late map[int]int, ok bool) {
	late = map[int]int{}
	places := map[string][]region{}
	limit := p.t.count()
	for _, j := range slices.Backward(p.jobs) {
		if p.skipped(j) || len(j.content) == 0 || j.restart {
			continue
		}
		text := j.field(kwContent).String()
		found, known := places[text]
		if !known {
			found = p.contents(j, 0, p.t.count())
			places[text] = found
		}
		i, _ := slices.BinarySearchFunc(found, limit, func(at region, limit int) int { return at.end - limit - 1 })
		if i == 0 {
			return nil, false
		}
		last := found[i-1].start
		if j.action != kwInsertAfter && j.field(kwAnchor) == nil {
			late[j.number] = last
		}
		if limit = last; j.action == kwInsertAfter {
			limit -= len(j.solid(kwSnippet))
		}
	}
	return late, true
}

func (p *proof) place(i int, j job) bool {
	if _, ok := p.boundary(j); ok {
		h, problem := p.locate(j)
		if problem != nil || !h.done {
			return false
		}
		p.claim(claim{job: j, scope: scope{from: p.at, anchored: true}, hit: h})
		return true
	}
	ways := []func(int, scope) (claim, bool){p.doneIn, p.alone}
	if p.late != nil {
		slices.Reverse(ways)
	}
	for _, way := range ways {
		for _, sc := range p.scopes(j) {
			if c, ok := way(i, sc); ok {
				p.claim(c)
				return true
			}
		}
	}
	return false
}

func (p *proof) claim(c claim) {
	p.claims = append(p.claims, c)
	p.at = max(p.at, c.at.end)
}

// scopes returns the scopes of a modification's snippet: below each occurrence of its anchor or, without an anchor,
// below the cursor. Without an anchor, the first modification of a FILE block may also be at the top of the file.
func (p *proof) scopes(j job) []scope {
	if j.field(kwAnchor) == nil {
		if j.restart {
			return []scope{{from: p.at}, {from: 0}}
		}
		return []scope{{from: p.at}}
	}
	s := p.search(j, kwAnchor)
	s.written = true
	return text.Each(s.all(0, mostListed), func(a region) scope { return scope{from: max(p.at, p.scopeStart(j, a)), anchored: true, anchor: a} })
}

func (p *proof) doneIn(i int, sc scope) (claim, bool) {
	j := p.jobs[i]
	from, pinned := p.inSnippet(j, sc.from)
	at := region{start: from, end: from}
	switch {
	case j.action == kwDelete, len(j.content) == 0:
		if p.stillStands(j) {
			return claim{}, false
		}
	case j.action == kwReplace:
		found := p.contents(j, max(from, p.late[j.number]), 1)
		if len(found) == 0 || p.begun(j, found[0]) {
			return claim{}, false
		}
		at = found[0]
	default:
		s := p.search(j, kwSnippet)
		s.written = true
		done := p.doneAt(j, sc, s.all(sc.from, mostListed))
		if len(done) == 0 {
			return claim{}, false
		}
		return claim{job: j, scope: sc, hit: done[0]}, true
	}
	return claim{job: j, scope: sc, hit: hit{at: at, snippetAt: at, done: true}, pinned: pinned}, true
}

// begun reports whether a modification may be made only in part at a place, because its content there contains the
// snippet.
func (p *proof) begun(j job, at region) bool {
	s := p.search(j, kwSnippet)
	s.written = true
	found := s.all(at.start, 1)
	return len(found) > 0 && at.contains(found[0]) && p.unfinished(j, at, found[0])
}

// alone returns the place of an insertion's content, even if the snippet is not next to it, because a later
// modification may have changed the snippet. Making the modifications again shows whether the place is right.
func (p *proof) alone(i int, sc scope) (claim, bool) {
	j := p.jobs[i]
	if j.action != kwInsertBefore || i+1 == len(p.jobs) {
		return claim{}, false
	}
	found := p.contents(j, max(sc.from, p.late[j.number]), mostListed)
	if len(found) == 0 {
		return claim{}, false
	}
	first := j.solid(kwSnippet)[0]
	k := slices.IndexFunc(found, func(at region) bool { _, ok := p.t.next(at.end, first); return ok })
	return claim{job: j, scope: sc, hit: hit{at: found[max(k, 0)], done: true}}, true
}
