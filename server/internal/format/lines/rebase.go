package lines

import (
	"context"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// moved are the edits of the block that write the line numbers at which the
// expected lines stand in f. False where one of them does not stand there exactly
// once, or not in the same order, where an insertion has no place, or where what an
// op would make stands already: it would be made twice.
func (p Patch) moved(ctx context.Context, f file) ([]text.Edit, bool) {
	firsts, ok := p.places(ctx, f)
	if !ok || !p.anchor(firsts) {
		return nil, false
	}
	var edits []text.Edit
	stale := !IsOf(p.sum, f.text)
	end := 0
	for i, o := range p.ops {
		first, last := firsts[i], firsts[i]+o.last-o.first
		if first <= end || stale && f.hasMade(ctx, o, first) {
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

// places is the first line of the only place of each op's expected lines; 0 for an
// insertion, which expects none. There is one place at least.
func (p Patch) places(ctx context.Context, f file) (firsts []int, ok bool) {
	at := f.indices()
	firsts = make([]int, len(p.ops))
	for i, o := range p.ops {
		if o.inserts() {
			continue
		}
		if firsts[i] = f.only(ctx, at, o.expected); firsts[i] == 0 {
			return nil, false
		}
		ok = true
	}
	return firsts, ok
}

// indices are where each line stands, from 0.
func (f file) indices() map[string][]int {
	at := map[string][]int{}
	for i, line := range f.lines {
		at[line] = append(at[line], i)
	}
	return at
}

// only is the first line of the only place where lines stand; 0 where that is not
// so. It looks where the rarest of them stands.
func (f file) only(ctx context.Context, at map[string][]int, lines []string) int {
	rare := 0
	for i, line := range lines {
		if len(at[line]) < len(at[lines[rare]]) {
			rare = i
		}
	}
	found := 0
	for _, i := range at[lines[rare]] {
		if ctx.Err() != nil || found > 0 && f.has(i-rare+1, lines) {
			return 0
		}
		if found == 0 && f.has(i-rare+1, lines) {
			found = i - rare + 1
		}
	}
	return found
}

// anchor gives insertions their place: where they stood right behind or in front of
// lines that another op expects, they stand there again. Nothing tells the place
// of any other.
func (p Patch) anchor(firsts []int) bool {
	behind, before := map[int]int{}, map[int]int{} // a line number in the block, and that in the file
	for i, o := range p.ops {
		if !o.inserts() {
			behind[o.last+1], before[o.first] = firsts[i]+o.last-o.first+1, firsts[i]
		}
	}
	for i, o := range p.ops {
		if !o.inserts() {
			continue
		}
		a, isBehind := behind[o.first]
		b, isBefore := before[o.first]
		if !isBehind && !isBefore || isBehind && isBefore && a != b {
			return false
		}
		firsts[i] = max(a, b)
	}
	return true
}

// hasMade reports whether what o makes of the lines from line first on stands there:
// its new lines around those that it expects, or those that it inserts, in front or
// behind. Blank lines tell nothing.
func (f file) hasMade(ctx context.Context, o op, first int) bool {
	switch {
	case strings.TrimSpace(strings.Join(o.lines, "")) == "" || slices.Equal(o.lines, o.expected):
		return false
	case o.inserts():
		return f.has(first, o.lines) || f.has(first-len(o.lines), o.lines)
	}
	made := file{lines: o.lines}
	at := made.only(ctx, made.indices(), o.expected)
	return at > 0 && f.has(first-at+1, o.lines)
}
