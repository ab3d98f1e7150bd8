package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// alreadyAt reports whether the file already has the content where the modification would write it. It returns the
// first line of the content.
func (r *run) alreadyAt(j job, h hit, bare region, p passage) (int, bool) {
	i := h.at.start
	switch {
	case bare.start == bare.end:
		return r.alreadyAtEnd(j, h, p)
	case j.action == kwReplace:
		return bare.start, p.count() == bare.end-bare.start && r.t.has(p, bare.start) && !r.unfinished(j, bare, h.snippetAt)
	case j.action == kwInsertBefore && r.t.has(p, i-p.count()):
		return i - p.count(), true
	case j.action == kwInsertBefore:
		i -= j.below + p.count()
	}
	return i, r.t.has(p, i) || r.hasShifted(p, i)
}

// alreadyAtEnd is alreadyAt for a place at the start or the end of the file. Contents of later modifications with
// the same locator may be between the content and that end.
func (r *run) alreadyAtEnd(j job, h hit, p passage) (i int, ok bool) {
	for _, others := range []int{j.later, 0} {
		i = h.at.start + others
		if h.snippetAt.start > 0 {
			i = h.at.start - others - p.count()
		}
		if r.t.has(p, i) || r.hasShifted(p, i) {
			return i, true
		}
	}
	return i, false
}

// hasShifted reports whether an insertion's content is at line i with all lines indented more, or all less, by the
// same amount. Short content proves nothing, because it may be there by chance.
func (r *run) hasShifted(p passage, i int) bool {
	if i < 0 || i+p.count() > r.t.count() {
		return false
	}
	for k, body := range p.bodies {
		if r.t.body(i+k) != body {
			return false
		}
	}
	found := r.t.textsOf(region{start: i, end: i + p.count()})
	_, ok := place.ShiftOf(p.lines, found, strings.Join(p.lines, "\n"), strings.Join(found, "\n"))
	return ok && text.Passage.Says(strings.Join(p.lines, ""))
}

// doneAt returns the places near the snippet's places that already have the result. If the content contains the
// snippet, a search for the snippet finds the result.
func (r *run) doneAt(j job, sc scope, found []region) []hit {
	p := r.content(j)
	if p.count() == 0 || len(found) == 0 {
		return nil
	}
	var done []hit
	switch j.action {
	case kwReplace:
		last := min(found[len(found)-1].start+p.count(), r.t.count())
		r.t.passages(p, max(0, sc.from-p.count()), last, func(at region) bool {
			i, _ := slices.BinarySearchFunc(found, at.start, func(f region, start int) int { return f.start - start })
			if i < len(found) && at.contains(found[i]) && !r.unfinished(j, at, found[i]) {
				done = append(done, hit{at: at, snippetAt: found[i], done: true})
			}
			return true
		})
	case kwInsertAfter, kwInsertBefore:
		for _, c := range found {
			if h, problem := r.withRange(j, hit{snippetAt: c}); problem == nil && h.done {
				done = append(done, h)
			}
		}
	}
	return done
}

// unfinished reports whether a REPLACE is only partly made: its content is at the place, but lines of its range are
// still below, or blank lines must still be removed. The tail is ignored if the content begins above the snippet, or
// if the tail is below the block that the snippet opens.
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
	return target == at && (r.blankLinesToGo(j, at) || !slices.Equal(r.t.textsOf(at), j.content))
}

// blankLinesToGo reports whether a modification would still remove blank lines around a region. It returns false if
// there are more blank lines than it may remove, because an earlier apply may have removed some.
func (r *run) blankLinesToGo(j job, at region) bool {
	wide := r.widen(j, at)
	blank := func(i int) bool { return i >= 0 && i < r.t.count() && r.t.isBlank(i) }
	more := j.leading > 0 && blank(wide.start-1) || j.trailing > 0 && blank(wide.end)
	return wide != at && !more
}

// doneBefore searches for the content of a REPLACE between the anchor and the first place of the snippet. If an
// earlier apply wrote the content there, the snippet's place is not the intended one. `sure` is true in these cases:
//
//   - The history has an apply of the patch.
//   - The content has several lines, or occurs only once.
//   - The block below the anchor has the content but not the snippet.
func (r *run) doneBefore(j job, sc scope, fresh region) (h hit, sure bool) {
	if j.action != kwReplace || !sc.anchored {
		return hit{}, false
	}
	found := r.contents(j, sc.from, 1)
	if len(found) == 0 || found[0].end > fresh.start {
		return hit{}, false
	}
	at := found[0]
	alone := len(r.contents(j, 0, 2)) == 1
	special := len(solidLines(j.content)) > 1 && text.Passage.Says(j.field(kwContent).String())
	parted := r.leavesBlock(sc, fresh) && !r.leavesBlock(sc, at)
	return hit{at: at, snippetAt: at, done: true, other: fresh}, r.in.Applied || special || alone || parted
}

// gone decides about a modification whose snippet is not in its scope. A DELETE counts as done, and so does a
// REPLACE whose content is in the scope (rules A26 and A27).
func (r *run) gone(j job, sc scope, s search) (hit, *diag.Diagnostic) {
	here := region{start: sc.from, end: sc.from}
	if len(j.content) == 0 && (j.action == kwDelete || j.action == kwReplace) {
		if problem := r.elsewhere(j, s, sc); problem != nil {
			return hit{}, problem
		}
		s.written = true
		if len(s.all(0, 1)) > 0 || r.stillStands(j) {
			return hit{}, r.missing(j, s, sc)
		}
		return hit{at: here, snippetAt: here, done: true}, nil
	}
	if j.action == kwReplace {
		if found := r.contents(j, sc.from, 1); len(found) > 0 && !r.byChance(j, sc, found[0]) {
			return hit{at: found[0], snippetAt: found[0], done: true}, nil
		}
		if at, ok := r.certainResult(j, sc); ok {
			return hit{at: at, snippetAt: at, done: true}, nil
		}
	}
	return hit{}, r.missing(j, s, sc)
}

// certainResult returns the place where the file certainly has the result of a modification, as written or with
// artifacts undone.
func (r *run) certainResult(j job, sc scope) (at region, ok bool) {
	if !j.replaces(j.field(kwSnippet)) {
		return at, false
	}
	t, c := r.in.Text, j.change()
	span, ok := place.WholeLines.Done(t, c)
	if !ok {
		for was := range c.Restored(t.Meter(), artifact.Sure()) {
			if span, ok = place.WholeLines.Done(t, was.Change); ok && was.Sure {
				break
			}
			ok = false
		}
	}
	start := r.t.now(t.LineAt(span.Start) - 1)
	return region{start: start, end: start + strings.Count(span.In(t.LF()), "\n")}, ok && start >= sc.from
}

// stillStands reports whether lines of the file resemble the snippet of a modification that removes lines. The
// snippet may then be a wrong copy of these lines.
func (r *run) stillStands(j job) bool {
	f := j.field(kwSnippet)
	return !r.in.Applied && text.Shared.Says(f.String()) && place.Resembled(r.in.Text, joined(f.lines))
}

// byChance reports whether the file may have the content of a REPLACE by chance, although the snippet is gone (rule
// A27). The first case that holds decides:
//
//   - The history has an apply of the patch, or the modification has a tail and several lines of content: false.
//   - The content only shortens the snippet: true.
//   - The content is next to the anchor: false.
//   - The content occurs more than once: true for one line, false for several lines.
//   - The snippet is too short to be recognized: false.
//   - Otherwise: true, unless the content proves that it replaced the snippet.
func (r *run) byChance(j job, sc scope, at region) bool {
	f := j.field(kwSnippet)
	several := len(solidLines(j.content)) > 1
	switch {
	case r.in.Applied, several && j.field(kwTail) != nil:
		return false
	case j.change().OnlyShortens():
		return true
	case sc.anchored && r.followsAnchor(sc, at):
		return false
	case len(r.contents(j, 0, 2)) > 1:
		return !several
	case !text.Passage.Says(f.String()):
		return false
	}
	t := r.in.Text
	return !place.IsProved(t, j.change(), text.Span{Start: t.LineStart(r.t.fileLine(at.start)), End: t.LineStart(r.t.fileLine(at.end))})
}

// followsAnchor reports whether a place is directly below the anchor, or in the block that begins at the anchor.
func (r *run) followsAnchor(sc scope, at region) bool {
	end, ok := r.t.blockEnd(sc.anchor)
	return ok && at.end <= end || r.t.solidFrom(sc.anchor.end) == at.start
}
