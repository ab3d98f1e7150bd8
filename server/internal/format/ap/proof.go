package ap

import "slices"

// isDone reports whether the target already has the result of all modifications, and if so,
// records this for each. A single modification can only be judged together with the others,
// because another modification may have written its snippet again.
//
// Every modification must be done, from top to bottom, and wherever its snippet still occurs, the
// patch must have written it. Below an anchor, however, the snippet may occur again further down.
// A modification for which it does counts as done only if another modification is done beyond
// doubt.
func (r *run) isDone() bool {
	p := newProof(r)
	if !p.try() {
		late, ok := p.latest()
		if p = newProof(r); !ok {
			return false
		}
		if p.late = late; !p.try() {
			return false
		}
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
	claims   []claim
	late     map[int]int // the last possible places, see latest; nil for a try with the first places
	owner    []int       // for each line, the number of the modification that wrote it; 0 if none did
	at       int         // the cursor
	sure     bool        // nothing but the patch explains the place of some content
	several  bool        // some content has several lines
	lone     []claim     // claims with no evidence but their content; two of them in order are no accident
	doubtful bool

	remains map[string]*remains // the remaining places of each snippet
}

func newProof(r *run) *proof { return &proof{run: r, remains: map[string]*remains{}} }

// A claim states that a modification is done at a place.
type claim struct {
	job
	scope
	hit
	changed bool // another modification changed the snippet of this insertion
	kept    bool // it did so in a way that may leave the snippet in place
}

// try looks for a place of every modification's result, from top to bottom, and checks whether
// these places agree.
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
	return len(p.claims) > 0 && (!p.doubtful || p.sure || p.several || p.in.Applied)
}

func (r *run) skipped(j job) bool { return r.in.Skipped[j.at] }

// latest returns the last possible places of contents, by the number of the modification. It
// looks for them from bottom to top, and returns the places of REPLACEs without an anchor. A
// short content may occur by chance above its own place. ok is false if some content is missing.
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
		if j.action == kwReplace && j.field(kwAnchor) == nil {
			late[j.number] = last
		}
		if limit = last; j.action == kwInsertAfter {
			limit -= len(j.solid(kwSnippet))
		}
	}
	return late, true
}

// place looks for the place at which a modification is done.
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

func (p *proof) claim(c claim) {
	p.claims = append(p.claims, c)
	p.at = max(p.at, c.at.end)
}

// scopes returns the scopes in which the snippet may be: below each occurrence of the anchor, or
// from the cursor on. For the first modification of a FILE block, the whole file is another
// scope.
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
		out = append(out, scope{from: max(p.at, p.scopeStart(j, a)), anchored: true, anchor: a})
	}
	return out
}

func (p *proof) doneIn(i int, sc scope) (claim, bool) {
	j, at := p.jobs[i], region{start: sc.from, end: sc.from}
	switch {
	case j.action == kwDelete, len(j.content) == 0:
		if p.stillStands(j) {
			return claim{}, false
		}
	case j.action == kwReplace:
		found := p.contents(j, max(sc.from, p.late[j.number]), 1)
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
	return claim{job: j, scope: sc, hit: hit{at: at, where: at, done: true}}, true
}

// begun reports whether a modification is unfinished at a place, although that place has its
// content, which contains the snippet.
func (p *proof) begun(j job, at region) bool {
	s := p.search(j, kwSnippet)
	s.written = true
	found := s.all(at.start, 1)
	return len(found) > 0 && at.contains(found[0]) && p.unfinished(j, at, found[0])
}

// beforeChanged returns the place of an insertion's content if a later modification changed its
// snippet. It is directly above the result of that modification.
func (p *proof) beforeChanged(i int, sc scope) (claim, bool) {
	j := p.jobs[i]
	next := i + 1 + j.following
	if j.action != kwInsertBefore || next == len(p.jobs) {
		return claim{}, false
	}
	var all []string
	for _, same := range p.jobs[i:next] {
		all = append(all, same.content...)
	}
	left, ok := leftOf(j.solid(kwSnippet), p.jobs[next])
	var found claim
	p.t.passages(p.t.passage(all), sc.from, p.t.count(), func(at region) bool {
		if !ok || !p.t.follows(left, at.end) {
			return true
		}
		kept := p.jobs[next].action == kwInsertBefore || p.jobs[next].action == kwInsertAfter
		h := hit{at: region{start: at.start, end: at.start + len(j.content)}, done: true}
		found = claim{job: j, scope: sc, hit: h, changed: true, kept: kept}
		return false
	})
	return found, found.changed
}

// leftOf returns the lines that remain after a modification changed the first place in them that
// matches its snippet: the lines above that place, and the lines that the modification wrote. The
// place may extend beyond the lines. ok is false if no place matches.
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

// follows reports whether lines are at line i, or below blank lines there, with any indentation.
func (t *target) follows(lines []string, i int) bool {
	l := t.locator(lines)
	if len(l.bodies) == 0 {
		return true
	}
	i = t.solidFrom(i)
	if i >= t.count() || t.body(i) != l.bodies[0] {
		return false
	}
	end, _ := t.matchDown(l.bodies[1:], i)
	return end >= 0
}
