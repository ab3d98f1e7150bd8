package lines

import (
	"context"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// moved returns the edits of the block that adapt the line numbers to the places of the expected lines in the file.
// It returns false in these cases:
//
//   - Some expected lines do not occur exactly once, or are in another order.
//   - An insertion has no place.
//   - The file already has the new lines of a change, which would be made twice.
func (p Patch) moved(ctx context.Context, f file) ([]text.Edit, bool) {
	firsts, ok := p.places(ctx, f)
	if !ok || !p.anchor(firsts) {
		return nil, false
	}
	var edits []text.Edit
	stale := !isOf(p.sum, f.Text())
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

// places returns the first line of the only place of each change's expected lines, or 0 for an insertion. It returns
// false if there is no such place, or if all changes are insertions.
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

// anchor finds the places of insertions, which stay next to the expected lines of another change. It returns false
// if an insertion is not directly above or below such lines.
func (p Patch) anchor(firsts []int) bool {
	after, before := map[int]int{}, map[int]int{} // the line numbers in the file, by those in the block
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

// hasMade reports whether the file already has the new lines of a change at the line `first`. The new lines of an
// insertion may be above or below the place, and those of any other change must contain the expected lines. Blank
// lines prove nothing.
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
