package ap

import (
	"cmp"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// isDone reports whether the file already has the results of all modifications. If so, it records the place of each. A
// single modification cannot be judged alone, because another modification may have written its snippet again.
//
// The file must have the results from top to bottom, and making the modifications again must give the present lines.
// Below an anchor, the snippet may occur again farther down, and the modification may be meant for that place. Such a
// modification counts as done only if another modification is certainly done.
func (r *run) isDone() bool {
	p := &proof{run: r}
	if !p.try() {
		return false
	}
	for _, c := range p.claims {
		r.places = append(r.places, r.place(c.job, c.hit))
		r.alreadyDone(c.job, c.hit)
	}
	return true
}

// A proof collects the evidence that all modifications are done.
type proof struct {
	*run
	claims []claim
	// the last possible place of each content, by the number of the modification: see latest; nil while the first
	// possible places are tried
	late map[int]int
	at   int // the cursor: the line after the last claim
}

// A claim is the assumption that a modification was already made at a place.
type claim struct {
	job
	scope
	hit
}

// try searches for the result of each modification, from top to bottom. To check the places, it then makes the
// modifications again.
func (p *proof) try() bool {
	for i, j := range p.jobs {
		if !p.skipped(j) && !p.place(i, j) {
			return false
		}
	}
	return len(p.claims) > 0 && p.replays() && p.isNoAccident()
}

// isNoAccident reports whether the file certainly has the results because of the modifications, and not by chance.
func (p *proof) isNoAccident() bool {
	sure, several, doubtful := false, false, false
	owner := p.owners()
	// lone has the claims for which the content is the only evidence. Two of them in the right order cannot be chance.
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
		case left.prefix != "": // the snippet is only the end of a longer line in the file
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

// leftFor returns the first place at which the snippet of a REPLACE or DELETE still occurs. The place must have at
// least one line that is not from the patch, and no line from another modification.
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

// owners returns, for each line, the number of the modification that wrote the line, or 0.
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

func (p *proof) place(i int, j job) bool {
	if _, ok := p.boundary(j); ok {
		h, problem := p.locate(j)
		if problem != nil || !h.done {
			return false
		}
		p.claim(claim{job: j, scope: scope{from: p.at, anchored: true}, hit: h})
		return true
	}
	scopes := p.scopes(j)
	for _, sc := range scopes {
		if c, ok := p.doneIn(j, sc); ok {
			p.claim(c)
			return true
		}
	}
	if len(scopes) == 0 || j.action != kwInsertBefore || i+1 == len(p.jobs) {
		return false
	}
	// A later modification may have changed the snippet. Making the modifications again shows whether the place is right.
	found := p.contents(j, scopes[0].from, 1)
	if len(found) > 0 {
		p.claim(claim{job: j, scope: scopes[0], hit: hit{at: found[0], done: true}})
	}
	return len(found) > 0
}

func (p *proof) claim(c claim) {
	p.claims = append(p.claims, c)
	p.at = max(p.at, c.at.end)
}

// scopes returns the scopes in which the snippet may be. With an anchor, there is a scope below each of its
// occurrences. Without an anchor, the scope begins at the cursor. For the first modification of a FILE block, it may
// also begin at the top of the file.
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

func (p *proof) doneIn(j job, sc scope) (claim, bool) {
	at := region{start: sc.from, end: sc.from}
	switch {
	case j.action == kwDelete, len(j.content) == 0:
		if p.stillStands(j) {
			return claim{}, false
		}
	case j.action == kwReplace:
		found := p.contents(j, sc.from, 1)
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
	return claim{job: j, scope: sc, hit: hit{at: at, snippetAt: at, done: true}}, true
}

// begun reports whether a place has the content of a modification that was perhaps only partly made. This is possible
// if the content contains the snippet.
func (p *proof) begun(j job, at region) bool {
	s := p.search(j, kwSnippet)
	s.written = true
	found := s.all(at.start, 1)
	return len(found) > 0 && at.contains(found[0]) && p.unfinished(j, at, found[0])
}
