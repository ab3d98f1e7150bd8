package convert

// unique is how many lines above and below the run ids[from:to] it takes, as few
// as possible, until no other place has the same lines; at most up and down ones.
// Where as few will do in more than one way, more of them are above. The time is
// linear in ids.
func unique(ids []int32, from, to, up, down int) (above, below int, ok bool) {
	up, down = min(up, from), min(down, len(ids)-to)
	// needs[u] is how many lines below it takes where a rival has u above.
	needs := make([]int, up+1)
	rivals := rivals{ids: ids, at: from, up: up, down: to - from + down, budget: 16 * (len(ids) + 1)}
	for at := range len(ids) + 1 {
		if at == from {
			continue
		}
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
	ids      []int32
	at       int
	up, down int // more lines are not asked for
	budget   int // comparisons
	// By place, once the budget is spent: agreeing lines from there on, and above.
	downs, ups []int
}

// below is how many lines from a place on are those from r.at on, at least up to r.down.
func (r *rivals) below(place int) int {
	if r.spent() {
		return r.downs[place]
	}
	n := 0
	for n < r.down && place+n < len(r.ids) && r.ids[r.at+n] == r.ids[place+n] {
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
	for n < r.up && place-n > 0 && r.ids[r.at-n-1] == r.ids[place-n-1] {
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
		r.downs, r.ups = agreeing(r.ids, r.at), agreeingUp(r.ids, r.at)
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
