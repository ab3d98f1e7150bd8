package ap

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// standsAlready reports whether the target is what all modifications leave, and
// then tells so of each. What one of them asks for can only be judged together
// with the others: a snippet that is there again may be what another one wrote.
//
// Every modification must stand done, from top to bottom, and what is left of its
// snippet must lie in what the patch wrote. Behind an anchor the snippet may come
// again further down; that such a modification is done is believed only if
// another one is so beyond doubt.
func (r *run) standsAlready() bool {
	p := proof{run: r}
	if !p.try() {
		late, ok := p.latest()
		if p = (proof{run: r, late: late}); !ok || !p.try() {
			return false
		}
	}
	for _, c := range p.claims {
		r.places = append(r.places, r.place(c.job, c.hit))
		r.alreadyDone(c.job, c.hit)
	}
	return true
}

// try finds a place for every modification, from top to bottom, and looks whether
// they agree.
func (p *proof) try() bool {
	for i, j := range p.jobs {
		if !p.skipped(j) && !p.place(i, j) {
			return false
		}
	}
	p.cover()
	for i := range p.claims {
		if !p.holds(&p.claims[i]) {
			return false
		}
	}
	if len(p.lone) == 1 && !p.sure && p.byChance(p.lone[0].job, p.lone[0].scope, p.lone[0].at) {
		return false
	}
	return len(p.claims) > 0 && (!p.doubtful || p.sure || p.in.Applied)
}

func (r *run) skipped(j job) bool { return r.in.Skipped[j.at] }

// latest are the last places, from bottom to top, where contents stand that are to
// be there without a snippet: a short one may stand by chance above its own place.
// By number of the modification. Ok is false where some content stands nowhere.
func (p *proof) latest() (late map[int]int, ok bool) {
	late = map[int]int{}
	limit := len(p.t.cur)
	for _, j := range slices.Backward(p.jobs) {
		if p.skipped(j) || len(j.content) == 0 || j.restart {
			continue
		}
		standing := p.standing(j, 0)
		i := len(standing) - 1
		for i >= 0 && standing[i].end > limit {
			i--
		}
		if i < 0 {
			return nil, false
		}
		if j.action == kwReplace && j.field(kwAnchor) == nil {
			late[j.number] = standing[i].start
		}
		limit = standing[i].start
		if j.action == kwInsertAfter {
			limit -= len(j.solid(kwSnippet))
		}
	}
	return late, true
}

// A proof collects what shows that all is done.
type proof struct {
	*run
	claims   []claim
	late     map[int]int // see latest; nil for the first places
	owner    []int       // by line, the number of the modification whose content stands there; 0 for none
	at       int         // cursor
	sure     bool        // a content is where nothing else explains it
	lone     []claim     // those of which a single line is all that shows it; two of them in order are no chance
	doubtful bool
}

// A claim is that a modification is done at a place.
type claim struct {
	job
	scope
	hit
	changed bool // an insertion whose snippet another modification changed
	kept    bool // such that it may be there still
}

// place finds where a modification stands done.
func (p *proof) place(i int, j job) bool {
	if _, ok := p.boundary(j); ok {
		h, problem := p.locate(j)
		if problem != nil || !h.done {
			return false
		}
		p.claim(claim{job: j, scope: scope{from: p.at, anchored: true}, hit: h})
		return true
	}
	ways := []func(int, scope) (claim, bool){p.doneIn, p.beforeChanged}
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

// beforeChanged is where the content of an insertion stands whose snippet a
// modification behind it has changed: right before what that one left.
func (p *proof) beforeChanged(i int, sc scope) (claim, bool) {
	j := p.jobs[i]
	if j.action != kwInsertBefore {
		return claim{}, false
	}
	all := slices.Clone(j.content)
	rest := p.jobs[i+1:]
	for len(rest) > 0 && rest[0].action == kwInsertBefore && rest[0].key() == j.key() {
		all, rest = append(all, rest[0].content...), rest[1:]
	}
	if len(rest) == 0 {
		return claim{}, false
	}
	left, ok := leftOf(j.solid(kwSnippet), rest[0])
	for _, at := range p.t.standing(p.t.marksOf(all), sc.from, len(p.t.cur)) {
		if ok && p.t.follows(left, at.end) {
			kept := rest[0].action == kwInsertBefore || rest[0].action == kwInsertAfter
			h := hit{at: region{start: at.start, end: at.start + len(j.content)}, done: true}
			return claim{job: j, scope: sc, hit: h, changed: true, kept: kept}, true
		}
	}
	return claim{}, false
}

// leftOf is how lines begin after a modification changed the first place in them
// that is like its snippet. Ok is false where there is none.
func leftOf(lines []string, j job) ([]string, bool) {
	theirs := j.solid(kwSnippet)
	for k := range lines {
		n := min(len(lines)-k, len(theirs))
		if !slices.Equal(lines[k:k+n], theirs[:n]) {
			continue
		}
		left := slices.Clone(lines[:k])
		if j.action == kwInsertAfter {
			left = append(left, theirs...)
		}
		return append(left, solidLines(j.content)...), true
	}
	return nil, false
}

// follows reports whether lines stand at line i or below blank ones, whatever their
// indentation.
func (t *target) follows(lines []string, i int) bool {
	l := t.locator(lines)
	if len(l.bodies) == 0 {
		return true
	}
	i = t.solidFrom(i)
	if i >= len(t.marks) || t.marks[i].body() != l.bodies[0] {
		return false
	}
	_, ok := t.matches(l, i)
	return ok
}

func (p *proof) claim(c claim) {
	p.claims = append(p.claims, c)
	p.at = max(p.at, c.at.end)
}

// scopes are where the snippet may be looked for: behind each anchor, or from the
// cursor on; for the first of a FILE block also from the top.
func (p *proof) scopes(j job) []scope {
	if j.field(kwAnchor) == nil {
		if j.restart {
			return []scope{{from: p.at}, {from: 0}}
		}
		return []scope{{from: p.at}}
	}
	s := p.search(j, kwAnchor)
	s.written = true
	var out []scope
	for _, a := range s.all(0, mostListed) {
		out = append(out, scope{from: max(p.at, p.behind(j, a)), anchored: true, anchor: a})
	}
	return out
}

func (p *proof) doneIn(i int, sc scope) (claim, bool) {
	j, at := p.jobs[i], region{start: sc.from, end: sc.from}
	switch {
	case j.action == kwDelete, len(j.content) == 0:
	case j.action == kwReplace:
		standing := p.standing(j, max(sc.from, p.late[j.number]))
		if len(standing) == 0 || p.begun(j, standing[0]) {
			return claim{}, false
		}
		at = standing[0]
	default:
		s := p.search(j, kwSnippet)
		s.written = true
		done := p.doneAt(j, sc, s.all(sc.from, mostListed))
		if len(done) == 0 {
			return claim{}, false
		}
		return claim{job: j, scope: sc, hit: done[0]}, true
	}
	return claim{job: j, scope: sc, hit: hit{at: at, where: at, done: true}}, true
}

// byChance reports whether a single line, the content of a REPLACE whose snippet is
// gone, may well be in the file for another reason (rule A27). It is believed where the
// anchor says, or where it is there once and nothing in the file is more like the snippet.
// A short snippet is like nothing.
func (r *run) byChance(j job, sc scope, at region) bool {
	f := j.field(kwSnippet)
	switch {
	case r.in.Applied, len(solidLines(j.content)) > 1:
		return false
	case sc.anchored && r.besideAnchor(sc, at):
		return false
	case len(r.standing(j, 0)) > 1:
		return true
	case locate.NonBlanks(f.String(), evidence) < evidence:
		return false
	}
	return !r.mostLike(f, r.t.number(at.start))
}

// besideAnchor reports whether a place is in the block that the anchor opens, or right
// below the anchor.
func (r *run) besideAnchor(sc scope, at region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && at.end <= end || r.t.solidFrom(sc.anchor.end) == at.start
}

// mostLike reports whether a line of the file, from 1, is among those that are most like
// a value.
func (r *run) mostLike(f *field, line int) bool {
	best, ok := r.best(f)
	return ok && best.line <= line && line < best.line+len(best.lines)
}

// begun reports whether a content that holds its own snippet is not all that its
// modification does there.
func (p *proof) begun(j job, at region) bool {
	s := p.search(j, kwSnippet)
	s.written = true
	found := s.all(at.start, 1)
	return len(found) > 0 && at.contains(found[0]) && p.unfinished(j, at, found[0])
}

// holds reports whether the snippets that are left do not speak against a claim.
func (p *proof) holds(c *claim) bool {
	if _, ok := p.boundary(c.job); ok {
		p.sure = p.sure || len(c.content) > 0
		return true
	}
	inserts := c.action == kwInsertAfter || c.action == kwInsertBefore
	s := p.search(c.job, kwSnippet)
	s.written = true
	left, soft := p.left(c, s, inserts)
	switch {
	case inserts:
		return p.holdsInsertion(c, left)
	case len(left) == 0:
		if len(c.content) > 0 && len(solidLines(c.content)) == 1 {
			p.lone = append(p.lone, *c)
		}
		p.sure = p.sure || len(solidLines(c.content)) > 1
		return true
	case soft: // the exact place is what was changed
		c.other = left[0]
		p.sure, p.doubtful = p.sure || len(c.content) > 0, p.doubtful || len(c.content) == 0
		return true
	case !c.anchored, len(c.content) > 0 && left[0].start < c.at.start:
		return false
	}
	p.doubtful = true
	c.other = left[0]
	if len(c.content) == 0 {
		return p.leavesBlock(c.scope, left[0])
	}
	_, special := p.doneBefore(c.job, c.scope, left[0])
	p.sure = p.sure || special
	return true
}

// holdsInsertion is holds for what leaves its snippet where it is.
func (p *proof) holdsInsertion(c *claim, left []region) bool {
	ok := len(left) == 1 || c.of > 1 && len(left) == c.left
	switch {
	case c.changed:
		ok = len(left) == 0 || c.kept && len(left) == 1
	case c.anchored:
		ok = len(left) > 0 && left[0] == c.where
	}
	p.sure = p.sure || ok
	return ok
}

// left are the places of a claim's snippet that are in no content, and for an
// insertion its own one. Soft are places that only end with the snippet.
func (p *proof) left(c *claim, s search, inserts bool) (left []region, soft bool) {
	s.each(c.from, func(at region) bool {
		if inserts && at == c.where || !p.isWritten(c, at, inserts) {
			left = append(left, at)
		}
		return len(left) <= c.of
	})
	return left, len(left) > 0 && left[0].prefix != ""
}

// cover notes whose content each line is.
func (p *proof) cover() {
	p.owner = make([]int, len(p.t.cur))
	for _, c := range p.claims {
		if len(c.content) == 0 {
			continue
		}
		for i := c.at.start; i < c.at.end && p.owner[i] == 0; i++ {
			p.owner[i] = c.number
		}
	}
}

// isWritten reports whether a place of a claim's snippet was made by the patch:
// all of it is content, or some of it is content of another modification, so that
// it was not there before. An insertion leaves its snippet, so that for it its own
// content counts likewise.
func (p *proof) isWritten(c *claim, at region, inserts bool) bool {
	all := true
	for i := at.start; i < at.end; i++ {
		switch owner := p.owner[i]; {
		case p.t.marks[i] == 0:
		case owner == 0:
			all = false
		case owner != c.number || inserts:
			return true
		}
	}
	return all
}
