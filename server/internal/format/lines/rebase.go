package lines

import (
	"context"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// moved returns the edits of the block that adapt the line numbers to the places of the expected
// lines in f. It returns false if some of these lines do not occur exactly once or are in another
// order, or if an insertion has no place. It also returns false if the file already has the
// result of an op, because the op would then be made twice.
func (p Patch) moved(ctx context.Context, f file) ([]text.Edit, bool) {
	firsts, ok := p.places(ctx, f)
	if !ok || !p.anchor(firsts) {
		return nil, false
	}
	var edits []text.Edit
	stale := !IsOf(p.sum, f.Text())
	end := 0
	for i, o := range p.ops {
		first, last := firsts[i], firsts[i]+o.last-o.first
		if first <= end || stale && f.hasMade(o, first) {
			return nil, false
		}
		end = last
		if o.inserts() {
			edits = append(edits, number(o.firstAt, first-1))
		} else {
			edits = append(edits, number(o.firstAt, first), number(o.lastAt, last))
		}
	}
	return edits, true
}

// places returns, for each op, the first line of the only place of its expected lines. For an
// insertion, which expects none, it returns 0. It returns false if an op has no such place, or if
// all ops are insertions.
func (p Patch) places(ctx context.Context, f file) (firsts []int, ok bool) {
	firsts = make([]int, len(p.ops))
	for i, o := range p.ops {
		if o.inserts() {
			continue
		}
		if firsts[i] = f.only(o.expected); firsts[i] == 0 || ctx.Err() != nil {
			return nil, false
		}
		ok = true
	}
	return firsts, ok
}

// anchor determines the places of insertions. An insertion directly above or below lines that
// another op expects stays next to them. Any other insertion has no known place.
func (p Patch) anchor(firsts []int) bool {
	after, before := map[int]int{}, map[int]int{} // maps line numbers in the block to line numbers in the file
	for i, o := range p.ops {
		if !o.inserts() {
			after[o.last+1], before[o.first] = firsts[i]+o.last-o.first+1, firsts[i]
		}
	}
	for i, o := range p.ops {
		if !o.inserts() {
			continue
		}
		a, isAfter := after[o.first]
		b, isBefore := before[o.first]
		if !isAfter && !isBefore || isAfter && isBefore && a != b {
			return false
		}
		firsts[i] = max(a, b)
	}
	return true
}

// hasMade reports whether the file already has the result of o at line first. The result is the
// new lines around the expected ones, or the inserted lines above or below the place. Blank lines
// prove nothing.
func (f file) hasMade(o op, first int) bool {
	switch {
	case strings.TrimSpace(strings.Join(o.lines, "")) == "" || slices.Equal(o.lines, o.expected):
		return false
	case o.inserts():
		return f.has(first, o.lines) || f.has(first-len(o.lines), o.lines)
	}
	at := fileOf(strings.Join(o.lines, "\n")+"\n", f.Meter()).only(o.expected)
	return at > 0 && f.has(first-at+1, o.lines)
}
