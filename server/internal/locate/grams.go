package locate

import (
	"cmp"
	"context"
	"slices"
)

// Places that could hold a text are found by what they have in common with it: all
// strings of a few bytes, each counting the more, the rarer it is.
const (
	gramLen   = 6
	gramBits  = 8 * gramLen
	maxWanted = 1 << 14 // of the text that is looked for
	maxHits   = 64      // of one gram that are followed
)

type gram = uint64

// A hit is a gram of what is looked for that was found.
type hit struct{ at, gram int32 }

// grams are the strings of gramLen bytes in a text, each with its first place.
type grams struct {
	at    []int32
	index map[gram]int32
}

func gramsOf(s string) *grams {
	g := &grams{index: map[gram]int32{}}
	stride := 1 + len(s)/maxWanted
	eachGram(s, func(at int, x gram) bool {
		if _, seen := g.index[x]; !seen && at%stride == 0 {
			g.index[x] = int32(len(g.at))
			g.at = append(g.at, int32(at))
		}
		return true
	})
	return g
}

// eachGram calls f with every gram and where it starts, until f says no.
func eachGram(s string, f func(at int, x gram) bool) {
	x := gram(0)
	for i := range len(s) {
		x = (x<<8 | gram(s[i])) & (1<<gramBits - 1)
		if i >= gramLen-1 && !f(i-gramLen+1, x) {
			return
		}
	}
}

// find is where the grams are in s, and how often each is. Of frequent ones only the
// first places are listed.
func (g *grams) find(ctx context.Context, s string) (hits []hit, count []int32) {
	count = make([]int32, len(g.at))
	eachGram(s, func(at int, x gram) bool {
		if at&0xFFFFF == 0xFFFFF && ctx.Err() != nil {
			return false
		}
		if i, ok := g.index[x]; ok {
			if count[i]++; count[i] <= maxHits {
				hits = append(hits, hit{int32(at), i})
			}
		}
		return true
	})
	return hits, count
}

// candidates is where want, which is folded, may be in s: offsets, the best
// ones first. They are off by a quarter of want's length at most where what is
// missing or added is not more.
func candidates(ctx context.Context, s, want string, most int) []int {
	g := gramsOf(want)
	hits, count := g.find(ctx, s)
	width := max(32, len(want)/4)
	votes := map[int]float64{}
	for _, h := range hits {
		votes[(int(h.at-g.at[h.gram])+len(want))/width] += 1 / float64(count[h.gram])
	}
	type bucket struct {
		index int
		votes float64
	}
	var best []bucket
	for i, v := range votes {
		best = append(best, bucket{i, v + votes[i+1]})
	}
	slices.SortFunc(best, func(a, b bucket) int { return cmp.Or(cmp.Compare(b.votes, a.votes), cmp.Compare(a.index, b.index)) })
	var out []int
	var taken []int
	for _, b := range best {
		if slices.ContainsFunc(taken, func(i int) bool { return i-1 <= b.index && b.index <= i+1 }) {
			continue
		}
		taken = append(taken, b.index)
		out = append(out, b.index*width-len(want))
		if len(out) == most {
			break
		}
	}
	return out
}
