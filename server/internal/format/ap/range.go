package ap

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
