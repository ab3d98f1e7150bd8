package convert

import "iter"

// unique is how many lines above and below the run from from to to it takes, as few
// as possible, until no other place has the same lines; at most up and down ones.
// Where as few will do in more than one way, more of them are above. The time is
// linear in ids, and less where the lines are rare.
func unique(ids metIDs, from, to, up, down int) (above, below int, ok bool) {
	up, down = min(up, from), min(down, ids.len()-to)
	// needs[u] is how many lines below it takes where a rival has u above.
	needs := make([]int, up+1)
	if from == to && ids.len() > 0 {
		needs[0] = 1 // every other place has nothing, too
	}
	rivals := rivals{ids: ids, at: from, up: up, down: to - from + down, budget: 16 * (ids.len() + 1)}
	for at := range rivals.places(to) {
		if below := rivals.below(at) - (to - from); below >= 0 {
			u := min(rivals.above(at), up)
			needs[u] = max(needs[u], below+1)
		}
	}
	need := 0
	for u := up; u >= 0; u-- {
		need = max(need, needs[u]) // who agrees on more lines above agrees on fewer
		if need <= down && (!ok || u+need < above+below) {
			above, below, ok = u, need, true
		}
	}
	return above, below, ok
}

// Rivals compares a place of ids with others, one by one as long as they differ
// soon, and all at once where lines repeat.
type rivals struct {
	ids      metIDs
	at       int
	up, down int // more lines are not asked for
	budget   int // comparisons
	// By place, once the budget is spent: agreeing lines from there on, and above.
	downs, ups []int
}

// places are the other places that may have all lines from r.at to to: they have the
// rarest one. Where those are none, they are the places that have one of the two
// lines next to it, and may come twice.
func (r *rivals) places(to int) iter.Seq[int] {
	first, last := r.at-min(r.up, 1), r.at+min(r.down, 1)-1
	if to > r.at {
		first = r.rarest(to)
		last = first
	}
	return func(yield func(int) bool) {
		for i := first; i <= last; i++ {
			for place := range r.ids.places(r.ids.id(i)) {
				if at := place - (i - r.at); at >= 0 && at != r.at && !yield(at) {
					return
				}
			}
		}
	}
}

// rarest is the line from r.at to to that is in the fewest places.
func (r *rivals) rarest(to int) int {
	rarest, fewest := r.at, r.ids.len()+1
	for i := r.at; i < to; i++ {
		if n := r.ids.count(r.ids.id(i)); n < fewest {
			rarest, fewest = i, n
		}
	}
	return rarest
}

// below is how many lines from a place on are those from r.at on, at least up to r.down.
func (r *rivals) below(place int) int {
	if r.spent() {
		return r.downs[place]
	}
	n := 0
	for n < r.down && place+n < r.ids.len() && r.ids.id(r.at+n) == r.ids.id(place+n) {
		n++
	}
	r.budget -= n + 1
	return n
}

// above is the same for the lines above, from bottom to top.
func (r *rivals) above(place int) int {
	if r.spent() {
		return r.ups[place]
	}
	n := 0
	for n < r.up && place-n > 0 && r.ids.id(r.at-n-1) == r.ids.id(place-n-1) {
		n++
	}
	r.budget -= n + 1
	return n
}

func (r *rivals) spent() bool {
	if r.budget > 0 {
		return false
	}
	if r.downs == nil {
		ids := r.ids.slice(0, r.ids.len())
		r.downs, r.ups = agreeing(ids, r.at), agreeingUp(ids, r.at)
	}
	return true
}

// agreeing is, for every place of ids, how many lines from there on are those from
// at on: the Z function of ids[at:] over ids.
func agreeing(ids []int32, at int) []int {
	pattern := ids[at:]
	joined := make([]int32, 0, len(pattern)+1+len(ids))
	joined = append(append(append(joined, pattern...), -1), ids...)
	return append(zFunction(joined)[len(pattern)+1:], 0)
}

// agreeingUp is the same for the lines above, from bottom to top.
func agreeingUp(ids []int32, at int) []int {
	joined := make([]int32, 0, at+1+len(ids))
	for i := at - 1; i >= 0; i-- {
		joined = append(joined, ids[i])
	}
	joined = append(joined, -1)
	for i := len(ids) - 1; i >= 0; i-- {
		joined = append(joined, ids[i])
	}
	z := zFunction(joined)[at+1:]
	out := make([]int, len(ids)+1)
	for i, n := range z {
		out[len(ids)-i] = n
	}
	return out
}

// zFunction is, for every place of s but the first, how long the text from there
// on is the one that s begins with.
func zFunction(s []int32) []int {
	z := make([]int, len(s))
	from, to := 0, 0 // the match that reaches furthest
	for i := 1; i < len(s); i++ {
		if i < to {
			z[i] = min(to-i, z[i-from])
		}
		for i+z[i] < len(s) && s[z[i]] == s[i+z[i]] {
			z[i]++
		}
		if i+z[i] > to {
			from, to = i, i+z[i]
		}
	}
	return z
}
