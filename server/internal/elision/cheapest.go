package elision

import (
	"math"
	"slices"
)

// A choice holds a place for each segment, in the order of the text.
type choice struct {
	at   []site
	cost int64 // the sum of the prices of all segments
	// the index of a segment with another place at the same cost but with another result; negative if there is none
	tied int
	// through[i][j] is the least cost of all readings that put segment i at its place j.
	through [][]int64
}

const never = math.MaxInt64 / 4

// A price returns the cost of the change that a segment makes at a place.
type price func(*segment, site) int64

// cheapest returns the reading with the lowest sum of prices. Two places of a segment at the same cost do not count as
// a tie if the segment changes nothing at either of them.
func (f *search) cheapest(priceOf price) choice {
	prices := make([][]int64, len(f.segments))
	for i, s := range f.segments {
		prices[i] = make([]int64, len(s.places))
		for j, at := range s.places {
			if prices[i][j] = never; at.kept >= 0 {
				prices[i][j] = priceOf(s, at)
			}
		}
	}
	above, below := f.costsUpTo(prices), f.costsFrom(prices)
	out := choice{tied: -1, cost: slices.Min(below[0])}
	for i, s := range f.segments {
		through := make([]int64, len(s.places))
		for j := range s.places {
			through[j] = never
			if above[i][j] < never && below[i][j] < never {
				through[j] = above[i][j] + below[i][j] - prices[i][j] // both costs include the price of segment i
			}
		}
		out.through = append(out.through, through)
	}
	low, left := int32(-1), out.cost
	for i, s := range f.segments {
		best := -1
		for j, at := range s.places {
			if f.b.filled[at.p] > low && below[i][j] == left {
				best = j
				break
			}
		}
		at := s.places[best]
		for j, other := range s.places {
			if j != best && out.through[i][j] == out.cost && s.cost(other)+s.cost(at) > 0 {
				out.tied = i
			}
		}
		out.at = append(out.at, at)
		low, left = f.above(at.q), left-prices[i][best]
	}
	return out
}

// costsUpTo returns, for each segment and place, the least cost of that segment and all segments above it.
func (f *search) costsUpTo(prices [][]int64) [][]int64 {
	var out [][]int64
	var ends []step // the least costs up to the segment above, by the end of its place
	for i, s := range f.segments {
		costs := make([]int64, len(s.places))
		for j, at := range s.places {
			before := int64(0)
			if i > 0 {
				before = leastBelow(ends, f.b.filled[at.p])
			}
			costs[j] = min(never, before+prices[i][j])
		}
		ends = steps(costs, func(j int) int32 { return f.above(s.places[j].q) })
		out = append(out, costs)
	}
	return out
}

// costsFrom returns, for each segment and place, the least cost of that segment and all segments below it.
func (f *search) costsFrom(prices [][]int64) [][]int64 {
	out := make([][]int64, len(f.segments))
	var starts []step // costs of the segment below, by the negated start of its place
	for i := len(f.segments) - 1; i >= 0; i-- {
		s := f.segments[i]
		costs := make([]int64, len(s.places))
		for j, at := range s.places {
			after := int64(0)
			if i < len(f.segments)-1 {
				after = leastBelow(starts, -f.b.filled[at.q])
			}
			costs[j] = min(never, after+prices[i][j])
		}
		starts = steps(costs, func(j int) int32 { return -f.below(s.places[j].p) })
		out[i] = costs
	}
	return out
}

// A step holds the least cost of all places whose edge is at most `edge`.
type step struct {
	edge int32
	cost int64
}

// steps sorts costs by edge, and replaces each cost with the least cost up to its edge.
func steps(costs []int64, edge func(int) int32) []step {
	out := make([]step, len(costs))
	for j, cost := range costs {
		out[j] = step{edge(j), cost}
	}
	slices.SortFunc(out, func(a, b step) int { return int(a.edge) - int(b.edge) })
	for j := 1; j < len(out); j++ {
		out[j].cost = min(out[j].cost, out[j-1].cost)
	}
	return out
}

func leastBelow(steps []step, edge int32) int64 {
	n, _ := slices.BinarySearchFunc(steps, edge, func(s step, e int32) int { return int(s.edge) - int(e) })
	if n == 0 {
		return never
	}
	return steps[n-1].cost
}

// likely returns the price that decides which reading is proposed. It is the price of [search.rewriting], plus a price
// for each edge with fewer than three matching lines, and for each edge whose line differs from the file's.
func (f *search) likely(s *segment, at site) int64 {
	const run, longest, loose = 2, 3, 9
	if s.cost(at) == 0 {
		return 0
	}
	short := 2*longest - min(longest, f.startRun(s, at.p).lines) - min(longest, f.endRun(s, at.q).lines)
	price := f.rewriting(s, at, isLike) + run*int64(short)
	if s.above && s.first() < s.end() && f.b.class(at.p) != s.class[s.first()] {
		price += loose
	}
	if s.below && s.first() < s.end() && f.b.class(at.q-1) != s.class[s.end()-1] {
		price += loose
	}
	return price
}

// rewriting returns the price of the lines that a place deletes and inserts. A deleted line costs a little more than
// an inserted line, because replies add more than they delete. A reworded line costs less than either.
func (f *search) rewriting(s *segment, at site, like func(a, b string) bool) int64 {
	const gone, comes, reworded, repeats = 5, 3, 2, 9
	d, i := int64(s.deleted(at)), int64(s.inserted(at))
	price := gone*d + comes*i
	if d > mostReworded || i > mostReworded || f.spent(int(d*i)) {
		return price
	}
	for _, h := range f.hunks(s, at) {
		for _, line := range h.Lines {
			if class := f.b.index.Class(line); f.loose && class >= 0 && letters(line) >= fewestLetters && len(f.b.index.Places(class)) == 1 {
				price += repeats
			}
		}
		alike := int(f.b.filled[h.End]-f.b.filled[h.At]) - f.unlike(h, like)
		price -= (gone + comes - reworded) * int64(alike)
	}
	return price
}

// mostReworded is the largest number of deleted or inserted lines of a place that [search.rewriting] compares
// with each other.
const mostReworded = 40
