package locate

import (
	"cmp"
	"context"
	"slices"
)

// Places that could hold a text are found by grams: strings of a few bytes that occur in both.
// The rarer a gram, the more it counts.
const (
	gramLen   = 6
	gramBits  = 8 * gramLen
	maxWanted = 1 << 14 // bytes of the wanted text that are looked at
	maxHits   = 64      // number of places to follow for one gram
)

type gram = uint64

// A hit is a place at which a gram was found.
type hit struct{ at, gram int32 }

// grams holds the strings of gramLen bytes in a text, each with its first offset.
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

// eachGram calls f with every gram and its offset, until f returns false.
func eachGram(s string, f func(at int, x gram) bool) {
	x := gram(0)
	for i := range len(s) {
		x = (x<<8 | gram(s[i])) & (1<<gramBits - 1)
		if i >= gramLen-1 && !f(i-gramLen+1, x) {
			return
		}
	}
}

// find returns the places of the grams in s, and the number of places of each gram. For frequent
// grams, it lists only the first places.
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

// candidates returns offsets in s that may hold want, the best first. want is folded. The offsets
// are off by at most a quarter of want's length unless more than that is missing or added.
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
