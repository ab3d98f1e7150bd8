package ap

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

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
