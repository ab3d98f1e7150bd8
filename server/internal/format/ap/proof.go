package ap

import (
	"cmp"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
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

// replays reports whether undoing all claims and making the modifications again gives the current lines. It ignores
// indentation, because the content may have been indented differently since.
func (p *proof) replays() bool {
	again := p.Modifications
	again.jobs = nil
	for _, c := range p.claims {
		m, j := *c.mod, c.job
		// The lines of a removed block are unknown, so the modification is repeated as if it removed only the
		// snippet.
		m.scopeEnd = false
		j.mod, j.following, j.below = &m, 0, 0
		again.jobs = append(again.jobs, j)
	}
	again.group()
	before, ok := p.undone(p.settled())
	if !ok {
		return false
	}
	r := newRun(again, intent.Target{Text: p.in.Text}, before)
	for _, j := range r.jobs {
		earlier := len(r.problems)
		if r.apply(j); diag.HasErrors(r.problems[earlier:]) || p.t.lines.Meter().Spent() {
			return false
		}
	}
	return before.isLike(p.t)
}

// undone returns the lines before the claimed modifications. It returns false if claims overlap.
func (p *proof) undone(claims []claim) (*target, bool) {
	slices.SortStableFunc(claims, func(a, b claim) int { return a.at.start - b.at.start })
	t := p.t.pristine()
	above := t.count()
	for _, c := range slices.Backward(claims) {
		if c.at.end > above {
			return nil, false
		}
		t.replace(c.at.start, c.at.end, p.removed(c), undoing)
		above = c.at.start
	}
	return t, true
}

// settled returns the claims, with a place for each deleted snippet whose place is unknown: directly above the next
// modification, or at the end. There, the deleted lines hardly ever separate lines that other modifications search
// for.
func (p *proof) settled() []claim {
	claims, limit := slices.Clone(p.claims), p.t.count()
	for i := range slices.Backward(claims) {
		c := &claims[i]
		if c.at.start == c.at.end && !c.anchored && !c.pinned {
			limit = max(limit, c.from)
			c.at = region{start: limit, end: limit}
		}
		if limit = c.at.start; c.snippetAt.end > c.snippetAt.start {
			limit = min(limit, c.snippetAt.start)
		}
	}
	return claims
}

// inSnippet handles a modification that changed lines which the insertion above it added as its snippet. It returns the
// line where the modification's result begins: below the lines of the snippet that no modification changed.
func (p *proof) inSnippet(j job, from int) (at int, ok bool) {
	const most = 4
	var snippet []string
	for _, c := range p.claims[max(0, len(p.claims)-most):] {
		if own := c.solid(kwSnippet); c.action == kwInsertBefore && c.snippetAt.end == 0 {
			snippet = own
		} else if n := meeting(snippet, own); n >= 0 {
			snippet = snippet[min(n+len(own), len(snippet)):]
		}
	}
	n := meeting(snippet, j.solid(kwSnippet))
	for _, line := range snippet[:max(n, 0)] {
		if i, ok := p.t.next(from, line); ok {
			from = i + 1
		}
	}
	return from, n >= 0
}

// removed returns the lines that a modification removed. The lines between snippet and tail are unknown, so it
// returns only these two.
func (p *proof) removed(c claim) (lines []string) {
	if c.action == kwInsertAfter || c.action == kwInsertBefore {
		return nil
	}
	if _, ok := p.boundary(c.job); !ok {
		lines = append(lines, c.field(kwSnippet).lines...)
	}
	if tail := c.field(kwTail); tail != nil && !p.tailInSnippet(c.job) && !p.isEnd(tail) {
		lines = append(lines, tail.lines...)
	}
	return slices.Concat(make([]string, c.leading), lines, make([]string, c.trailing))
}

// isLike reports whether two targets have the same lines, apart from white space around them.
func (t *target) isLike(o *target) bool {
	if t.count() != o.count() {
		return false
	}
	for i := range t.count() {
		if t.word(t.body(i)) != o.word(o.body(i)) {
			return false
		}
	}
	return true
}
