package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// mostListed is how many places a message can name.
const mostListed = 50

// A scope is where the snippet of a modification is looked for.
type scope struct {
	from     int
	anchored bool   // the first occurrence is meant
	anchor   region // where it is
}

func (r *run) search(j job, keyword string) search {
	return search{t: r.t, l: r.t.locator(j.field(keyword).lines), version: r.version, written: r.version == v31 || j.of > 1}
}

// locate decides where a modification does its work (rules A31 to A37).
func (r *run) locate(j job) (hit, *diag.Diagnostic) {
	if h, ok := r.boundary(j); ok {
		return r.atBoundary(j, h)
	}
	s := r.search(j, kwSnippet)
	sc, found, problem := r.candidates(j, s)
	if problem != nil {
		return hit{}, problem
	}
	found = slices.DeleteFunc(found, func(at region) bool { return r.isTaken(j, at) })
	done := r.doneAt(j, sc, found)
	fresh := slices.DeleteFunc(slices.Clone(found), func(c region) bool {
		return slices.ContainsFunc(done, func(d hit) bool { return d.at.contains(c) || d.where == c })
	})
	switch {
	case len(found) == 0, found[0].prefix != "" && j.action == kwReplace && len(r.standing(j, sc.from)) > 0:
		return r.gone(j, sc, s)
	case sc.anchored, len(found) == j.left, len(found) < j.left && len(done) > 0:
		h, problem := r.first(j, sc, fresh, done)
		h.nth = !sc.anchored && len(found) == j.left && j.left > 1
		return h, problem
	case len(fresh) == 0:
		return done[0], nil
	case len(fresh) == 1 && len(done) == 0:
		return r.withRange(j, hit{where: fresh[0]})
	}
	return hit{}, r.ambiguous(j, s, sc, append(fresh, wheres(done)...))
}

// isTaken reports whether a place belongs to an insertion above this one that has
// the same locator and leaves it below the cursor.
func (r *run) isTaken(j job, at region) bool {
	return j.action == kwInsertBefore && j.of > 1 && slices.Contains(r.taken[j.key()], r.t.cur[at.start])
}

func wheres(done []hit) []region {
	var out []region
	for _, d := range done {
		out = append(out, d.where)
	}
	return out
}

// first takes the first place, of those that are to be changed and those that are.
func (r *run) first(j job, sc scope, fresh []region, done []hit) (hit, *diag.Diagnostic) {
	if len(fresh) == 0 {
		return done[0], nil
	}
	if len(done) > 0 && done[0].at.start <= fresh[0].start {
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

// leavesBlock reports whether a place lies behind the block that the anchor opens.
func (r *run) leavesBlock(sc scope, at region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && at.start >= end
}

// candidates are the places of the snippet, one more than can be meant at most.
func (r *run) candidates(j job, s search) (scope, []region, *diag.Diagnostic) {
	sc := scope{from: r.cursor}
	if j.field(kwAnchor) != nil {
		return r.anchored(j, s)
	}
	most := max(mostListed, j.left+1)
	found := s.all(sc.from, most)
	if len(found) == 0 && j.restart {
		s.written = false
		if above := s.all(0, most); len(above) > 0 {
			r.cursor, sc.from = 0, 0
			return sc, above, nil
		}
	}
	return sc, found, nil
}

// anchored are the places of the snippet behind the anchor. Where the anchor is
// there several times, the one counts that leads to a place alone (rule A52).
func (r *run) anchored(j job, s search) (scope, []region, *diag.Diagnostic) {
	a := r.search(j, kwAnchor)
	anchors := a.all(0, 4*mostListed)
	if len(anchors) == 0 {
		return scope{}, nil, r.anchorMissing(j, a)
	}
	var chosen []scope
	var firsts [][]region
	for _, anchor := range anchors {
		sc := scope{from: max(r.cursor, r.behind(j, anchor)), anchored: true, anchor: anchor}
		found := s.all(sc.from, mostListed)
		if len(found) == 0 {
			continue
		}
		if len(firsts) == 0 || firsts[len(firsts)-1][0] != found[0] {
			chosen, firsts = append(chosen, sc), append(firsts, found)
		}
	}
	if len(firsts) == 1 || len(firsts) > 1 && len(firsts) == j.left {
		return chosen[0], firsts[0], nil
	}
	if len(firsts) == 0 {
		from := r.behind(j, anchors[0])
		return scope{from: max(r.cursor, from), anchored: true, anchor: anchors[0]}, nil, nil
	}
	if sc, found, ok := r.oneIsDone(j, chosen, firsts); ok {
		return sc, found, nil
	}
	return scope{}, nil, r.anchorAmbiguous(j, a, anchors)
}

// oneIsDone: of several anchors, one leads to where the modification stands done.
func (r *run) oneIsDone(j job, scopes []scope, firsts [][]region) (scope, []region, bool) {
	at := -1
	for i, found := range firsts {
		if done := r.doneAt(j, scopes[i], found[:1]); len(done) > 0 {
			if at >= 0 {
				return scope{}, nil, false
			}
			at = i
		}
	}
	if at < 0 {
		return scope{}, nil, false
	}
	return scopes[at], firsts[at], true
}

// behind is where the scope of an anchor begins: at the line below it, and in 3.2
// at the anchor itself where the snippet laps over it (rule A57).
func (r *run) behind(j job, anchor region) int {
	if r.version == v32 && lapsOver(r.t.locator(j.field(kwAnchor).lines).lines, r.t.locator(j.field(kwSnippet).lines).lines) {
		return anchor.start
	}
	return anchor.end
}

// lapsOver reports whether one of two texts holds the other, or the snippet begins
// with what the anchor ends with.
func lapsOver(anchor, snippet []string) bool {
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

// boundary is the place that ^ and $ stand for (rule A36).
func (r *run) boundary(j job) (hit, bool) {
	f := j.field(kwSnippet)
	if r.version != v32 || len(f.lines) != 1 {
		return hit{}, false
	}
	switch f.lines[0] {
	case "^":
		return hit{}, true
	case "$":
		n := len(r.t.cur)
		return hit{where: region{start: n, end: n}}, true
	}
	return hit{}, false
}

// atBoundary completes a place at an end of the file. A tail that is gone was
// replaced where the content stands there.
func (r *run) atBoundary(j job, h hit) (hit, *diag.Diagnostic) {
	done, problem := r.withRange(j, h)
	if marks := r.t.marksOf(j.content); problem != nil && len(marks) > 0 && r.t.stands(marks, h.where.start) {
		h.at, h.done = region{start: h.where.start, end: h.where.start + len(marks)}, true
		return h, nil
	}
	return done, problem
}

// withRange completes a place: by the tail, by the block that the snippet opens,
// by blank lines; and looks once more whether the content stands there.
func (r *run) withRange(j job, h hit) (hit, *diag.Diagnostic) {
	at := h.where
	at.prefix = ""
	if tail := j.field(kwTail); tail != nil && !r.tailInSnippet(j) {
		end, problem := r.tail(j, tail, h.where)
		if problem != nil {
			return hit{}, problem
		}
		at.end = end
	} else if j.scopeEnd {
		at.end = r.scopeEnd(j, h.where)
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
	marks := r.t.marksOf(j.content)
	if len(marks) == 0 {
		return h, nil
	}
	if i, ok := r.alreadyAt(j, h, at, marks); ok {
		h.at, h.done = region{start: i, end: i + len(marks)}, true
	} else if j.action == kwReplace && j.field(kwTail) != nil && at.start+len(marks) < at.end && r.t.stands(marks, at.start) {
		h.begun = true
	}
	return h, nil
}

// alreadyAt is where the content stands, if it does where it is to go.
func (r *run) alreadyAt(j job, h hit, bare region, marks []mark) (int, bool) {
	i := h.at.start
	switch {
	case bare.start == bare.end:
		return r.standsAtEnd(j, h, marks)
	case j.action == kwReplace:
		return bare.start, slices.Equal(marks, r.t.marks[bare.start:bare.end]) && !r.unfinished(j, bare, h.where)
	case j.action == kwInsertBefore && r.t.stands(marks, i-len(marks)):
		return i - len(marks), true
	case j.action == kwInsertBefore:
		i -= j.below + len(marks)
	}
	return i, r.t.stands(marks, i) || r.standsShifted(j, i)
}

// standsAtEnd is where the content stands that is to go to the first or the last
// line of the file. What modifications behind this one put there lies outside of it.
func (r *run) standsAtEnd(j job, h hit, marks []mark) (i int, ok bool) {
	for _, others := range []int{j.later, 0} {
		i = h.at.start + others
		if h.where.start > 0 {
			i = h.at.start - others - len(marks)
		}
		if r.t.stands(marks, i) || r.standsShifted(j, i) {
			return i, true
		}
	}
	return i, false
}

// standsShifted reports whether the content of an insertion stands at line i, with
// all lines indented more, or less, by the same. A little text may stand there by
// chance.
func (r *run) standsShifted(j job, i int) bool {
	if i < 0 || i+len(j.content) > len(r.t.cur) || locate.NonBlanks(strings.Join(j.content, ""), evidence) < evidence {
		return false
	}
	there := r.linesOf(region{start: i, end: i + len(j.content)})
	for k := range there {
		if strings.TrimSpace(there[k]) != strings.TrimSpace(j.content[k]) {
			return false
		}
	}
	_, ok := locate.ShiftOf(j.content, there, strings.Join(j.content, "\n"), strings.Join(there, "\n"))
	return ok
}

// widen takes blank lines around into a region (rule A39).
func (r *run) widen(j job, at region) region {
	for n := j.leading; n > 0 && at.start > 0 && r.t.marks[at.start-1] == 0; n-- {
		at.start--
	}
	for n := j.trailing; n > 0 && at.end < len(r.t.marks) && r.t.marks[at.end] == 0; n-- {
		at.end++
	}
	return at
}

// tailInSnippet reports whether the tail is the end of the snippet, which then
// holds the whole range (rule A51).
func (r *run) tailInSnippet(j job) bool {
	tail, snippet := r.t.locator(j.field(kwTail).lines).lines, r.t.locator(j.field(kwSnippet).lines).lines
	n := len(snippet) - len(tail)
	return n >= 0 && len(tail) > 0 && slices.Equal(snippet[n:], tail)
}

// tail is where the range ends that begins with the snippet.
func (r *run) tail(j job, tail *field, snippet region) (int, *diag.Diagnostic) {
	if r.version == v32 && len(tail.lines) == 1 && tail.lines[0] == "$" {
		return len(r.t.cur), nil
	}
	s := r.search(j, kwTail)
	if found := s.all(snippet.end, 1); len(found) > 0 {
		return found[0].end, nil
	}
	return 0, r.tailMissing(j, s, snippet)
}

// doneAt are the places where what a modification asks for stands around one of
// the candidates. A content that holds its own snippet is found by it again.
func (r *run) doneAt(j job, sc scope, found []region) []hit {
	marks := r.t.marksOf(j.content)
	if len(marks) == 0 || len(found) == 0 {
		return nil
	}
	var done []hit
	if j.action == kwReplace {
		last := min(found[len(found)-1].start+len(marks), len(r.t.cur))
		for _, at := range r.t.standing(marks, sc.from, last) {
			i, _ := slices.BinarySearchFunc(found, at.start, func(f region, start int) int { return f.start - start })
			if i < len(found) && at.contains(found[i]) && !r.unfinished(j, at, found[i]) {
				done = append(done, hit{at: at, where: found[i], done: true})
			}
		}
		return done
	}
	if j.action == kwInsertAfter || j.action == kwInsertBefore {
		for _, c := range found {
			if h, problem := r.withRange(j, hit{where: c}); problem == nil && h.done {
				done = append(done, h)
			}
		}
	}
	return done
}

// unfinished reports whether the content of a REPLACE stands at a place that
// differs all the same from what the modification leaves there: the range of the
// snippet goes on behind the content, or blanks are to go. What a tail finds behind
// the block of the snippet is another one, as it is where the content begins above.
func (r *run) unfinished(j job, at, snippet region) bool {
	if r.in.Applied {
		return false
	}
	target := region{start: snippet.start, end: snippet.end}
	if tail := j.field(kwTail); tail != nil && !r.tailInSnippet(j) {
		if end, problem := r.tail(j, tail, snippet); problem == nil && at.start == snippet.start && !r.leavesBlock(scope{anchor: snippet}, region{start: end - 1}) {
			target.end = end
		}
	} else if j.scopeEnd {
		if end, ok := r.t.blockEnd(target); ok {
			target.end = end
		}
	}
	if target.end > at.end {
		return true
	}
	return target == at && (r.blanksToGo(j, at) || !slices.Equal(r.linesOf(at), j.content))
}

// blanksToGo reports whether a modification takes all blank lines around a region
// away. Where there are more of them, some may be gone.
func (r *run) blanksToGo(j job, at region) bool {
	wide := r.widen(j, at)
	blank := func(i int) bool { return i >= 0 && i < len(r.t.marks) && r.t.marks[i] == 0 }
	more := j.leading > 0 && blank(wide.start-1) || j.trailing > 0 && blank(wide.end)
	return wide != at && !more
}

// standing are the places of a modification's content.
func (r *run) standing(j job, from int) []region {
	return r.t.standing(r.t.marksOf(j.content), from, len(r.t.cur))
}

// standingShifted is the only place of a modification's content where all of its
// lines are indented more, or less, by the same.
func (r *run) standingShifted(j job, from int) (region, bool) {
	s := search{t: r.t, l: r.t.locator(j.content), version: r.version, written: true}
	var found []region
	s.exact(from, func(at region) bool { found = append(found, at); return len(found) < 2 })
	if len(found) != 1 || found[0].end-found[0].start != len(j.content) {
		return region{}, false
	}
	there := r.linesOf(found[0])
	_, ok := locate.ShiftOf(j.content, there, strings.Join(j.content, "\n"), strings.Join(there, "\n"))
	return found[0], ok
}

// evidence is how many characters that are no blanks make a text so special that
// finding it is no accident.
const evidence = 12

// doneBefore: the content of a REPLACE stands between the anchor and the first
// place of the snippet. That is what an earlier run left, and the snippet below is
// another one, where the history knows that the patch was applied, where the content
// has several lines or stands nowhere else, or where only the content lies in the
// block that the anchor opens. Else it is not sure, and the place is returned all
// the same.
func (r *run) doneBefore(j job, sc scope, fresh region) (h hit, sure bool) {
	if j.action != kwReplace || len(j.content) == 0 || !sc.anchored {
		return hit{}, false
	}
	standing := r.standing(j, sc.from)
	if len(standing) == 0 || standing[0].end > fresh.start {
		return hit{}, false
	}
	at := standing[0]
	alone := len(r.t.standing(r.t.marksOf(j.content), 0, len(r.t.cur))) == 1
	special := solid(r.t.marksOf(j.content)) > 1 && locate.NonBlanks(j.field(kwContent).String(), evidence) == evidence
	parted := r.leavesBlock(sc, fresh) && !r.leavesBlock(sc, at)
	return hit{at: at, where: at, done: true, other: fresh}, r.in.Applied || special || alone || parted
}

// solid counts the lines that are not blank.
func solid(marks []mark) int {
	n := 0
	for _, m := range marks {
		if m != 0 {
			n++
		}
	}
	return n
}

// gone: the snippet is nowhere in the scope. A DELETE is done then, and so is a
// REPLACE whose content stands there (rules A26 and A27).
func (r *run) gone(j job, sc scope, s search) (hit, *diag.Diagnostic) {
	here := region{start: sc.from, end: sc.from}
	if len(j.content) == 0 && (j.action == kwDelete || j.action == kwReplace) {
		if problem := r.elsewhere(j, s, sc); problem != nil {
			return hit{}, problem
		}
		return hit{at: here, where: here, done: true}, nil
	}
	if j.action == kwReplace {
		if at, ok := r.present(j, sc); ok && !r.byChance(j, sc, at) {
			return hit{at: at, where: at, done: true}, nil
		}
	}
	return hit{}, r.missing(j, s, sc)
}

// present is the first place of a modification's content, or its only one where all of
// its lines are indented more, or less, by the same.
func (r *run) present(j job, sc scope) (region, bool) {
	if standing := r.standing(j, sc.from); len(standing) > 0 {
		return standing[0], true
	}
	return r.standingShifted(j, sc.from)
}
