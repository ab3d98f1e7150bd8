package convert

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachLine is the cost, in units, of each line that is counted or compared.
const eachLine = 10

// eachAgreeing is the cost, in units, of each line of the whole text. It is paid if many places
// have the same lines.
const eachAgreeing = 4 * eachLine

// unique returns how many lines above and below the lines [from, to) must be added to them so that
// they occur at no other place. It adds as few lines as possible, at most up lines above and down
// lines below. Of several solutions, it returns the one with the most lines above. The time is
// linear in the length of ids, and less if the lines are rare. The meter pays for it. Once the
// meter is spent, ok is false.
func unique(m *meter.Meter, ids hunkIDs, from, to, up, down int) (above, below int, ok bool) {
	up, down = min(up, from), min(down, ids.len()-to)
	// needs[u] is the number of lines that must be added below if a rival has the same u lines
	// above. For higher u, the number is 0.
	needs := make([]int, 1)
	if from == to && ids.len() > 0 {
		// If the range is empty, every other place is a rival.
		needs[0] = 1
	}
	rivals := rivals{meter: m, ids: ids, at: from, up: up, down: to - from + down, budget: 16 * (ids.len() + 1)}
	for at := range rivals.places(to) {
		if m.Spent() {
			return 0, 0, false
		}
		if below := rivals.below(at) - (to - from); below >= 0 {
			u := min(rivals.above(at), up)
			needs = append(needs, make([]int, max(u+1-len(needs), 0))...)
			needs[u] = max(needs[u], below+1)
		}
	}
	need := 0
	for u := min(up, len(needs)); u >= 0; u-- {
		if u < len(needs) {
			need = max(need, needs[u]) // a rival with the same u+1 lines above also has the same u lines above
		}
		if need <= down && (!ok || u+need < above+below) {
			above, below, ok = u, need, true
		}
	}
	return above, below, ok
}

// rivals compares a range of lines with other places. It compares them one by one as long as they
// soon differ, and all at once if lines repeat.
type rivals struct {
	meter    *meter.Meter
	ids      hunkIDs
	at       int
	up, down int // limits for the numbers of lines above and below that may be needed
	budget   int // number of comparisons that may still be made
	// Once the budget is spent, downs and ups are filled for each place. downs has the number of
	// lines at and below the place that are equal to those of the range. ups has the number of
	// lines above the place that are equal to those above the range.
	downs, ups []int
}

// places yields the other places that may have all lines from r.at to the index `to`. These are the
// places of the rarest of the lines. If the range is empty, it yields the places that have one of
// the two lines next to it. It may yield a place twice.
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

// rarest returns the line in the range from r.at to the index `to` that occurs at the fewest
// places.
func (r *rivals) rarest(to int) int {
	rarest, fewest := r.at, r.ids.len()+1
	for i := r.at; i < to; i++ {
		if n := r.ids.count(r.ids.id(i)); n < fewest {
			rarest, fewest = i, n
		}
	}
	return rarest
}

// below returns how many lines at and below a place are equal to those at and below r.at, but at
// most r.down.
func (r *rivals) below(place int) int {
	if r.spent() {
		return r.downs[place]
	}
	return r.compare(func(n int) bool {
		return n < r.down && place+n < r.ids.len() && r.ids.id(r.at+n) == r.ids.id(place+n)
	})
}

// above returns how many lines above a place, from bottom to top, are equal to those above r.at,
// but at most r.up.
func (r *rivals) above(place int) int {
	if r.spent() {
		return r.ups[place]
	}
	return r.compare(func(n int) bool {
		return n < r.up && place-n > 0 && r.ids.id(r.at-n-1) == r.ids.id(place-n-1)
	})
}

// compare returns the smallest n for which same returns false, and pays for the comparisons.
func (r *rivals) compare(same func(n int) bool) int {
	n := 0
	for same(n) {
		n++
	}
	r.budget -= n + 1
	r.meter.Pay(eachLine * (n + 1))
	return n
}

func (r *rivals) spent() bool {
	if r.budget > 0 {
		return false
	}
	if r.downs == nil {
		ids := r.ids.slice(0, r.ids.len())
		r.meter.Pay(eachAgreeing * len(ids))
		r.downs, r.ups = agreeing(ids, r.at), agreeingUp(ids, r.at)
	}
	return true
}

// agreeing returns, for every place in ids, how many lines at and below it are equal to those at
// and below `at`. This is the Z function of ids[at:] over ids.
func agreeing(ids []int32, at int) []int {
	pattern := ids[at:]
	joined := make([]int32, 0, len(pattern)+1+len(ids))
	joined = append(append(append(joined, pattern...), -1), ids...)
	return append(zFunction(joined)[len(pattern)+1:], 0)
}

// agreeingUp returns, for every place in ids, how many lines above it, from bottom to top, are
// equal to those above `at`.
func agreeingUp(ids []int32, at int) []int {
	ids = slices.Clone(ids)
	slices.Reverse(ids)
	up := agreeing(ids, len(ids)-at)
	slices.Reverse(up)
	return up
}

// zFunction returns, for every index of s except the first, the length of the longest prefix of s
// that also begins at this index.
func zFunction(s []int32) []int {
	z := make([]int, len(s))
	from, to := 0, 0 // the range of the match that ends furthest to the right
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

// lineIDs has a number for each line of two texts. Equal lines have the same number.
type lineIDs struct {
	index    *locate.Index // index of all lines, first the new lines and then the old ones
	new, old int           // how many lines are new, and how many are old
}

func newLineIDs(new, old []string) lineIDs {
	all := strings.Join(append(slices.Concat(new, old), ""), "\n")
	return lineIDs{locate.NewLines(all, locate.AfterLF, nil).IndexBy(text.TrimEOL), len(new), len(old)}
}

// hunkIDs has the numbers of the lines of the text to which a hunk is applied. This text has new
// lines above the hunk, and old lines from the hunk on.
type hunkIDs struct {
	lineIDs
	newEnd, oldAt int
}

func (m hunkIDs) len() int { return m.newEnd + m.old - m.oldAt }

// skipped returns how many lines of the index are not in the text.
func (m hunkIDs) skipped() int { return m.new - m.newEnd + m.oldAt }

func (m hunkIDs) id(i int) int32 {
	if i >= m.newEnd {
		i += m.skipped()
	}
	return m.index.ClassOf(i)
}

func (m hunkIDs) slice(from, to int) []int32 {
	ids := make([]int32, to-from)
	for i := range ids {
		ids[i] = m.id(from + i)
	}
	return ids
}

// parts returns the places of a line number in the index, first among the new lines above the hunk,
// and then among the old lines.
func (m hunkIDs) parts(id int32) (new, old []int32) {
	all := m.index.Places(id)
	end, _ := slices.BinarySearch(all, int32(m.newEnd))
	at, _ := slices.BinarySearch(all, int32(m.new+m.oldAt))
	return all[:end], all[at:]
}

func (m hunkIDs) count(id int32) int {
	new, old := m.parts(id)
	return len(new) + len(old)
}

// places yields the places of a line number, from top to bottom.
func (m hunkIDs) places(id int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		new, old := m.parts(id)
		for _, i := range new {
			if !yield(int(i)) {
				return
			}
		}
		for _, i := range old {
			if !yield(int(i) - m.skipped()) {
				return
			}
		}
	}
}
