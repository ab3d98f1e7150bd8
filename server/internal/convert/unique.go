package convert

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachLine is the cost of counting or comparing a line, in units of the meter.
const eachLine = 10

// unique returns how many lines must be added above and below the lines [from, to) so that together they occur at no
// other place. It adds as few lines as possible, at most `up` lines above and `down` lines below. Of several solutions,
// it returns the one with the most lines above. ok is false if there is none, or if the meter is spent. The time
// depends on how often the rarest of the lines occurs.
func unique(m *meter.Meter, ids hunkIDs, from, to, up, down int) (above, below int, ok bool) {
	up, down = min(up, from), min(down, ids.len()-to)
	// Some places have the same u lines above, but not the same u+1 lines. needs[u] is the number of lines to add below
	// so that none of these places matches.
	needs := make([]int, 1)
	if from == to && ids.len() > 0 {
		// If the range is empty, every other place has the same lines.
		needs[0] = 1
	}
	rivals := rivals{m, ids, from, up, to - from + down}
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

// rivals compares a range of lines with the other places that may have the same lines.
type rivals struct {
	meter    *meter.Meter
	ids      hunkIDs
	at       int
	up, down int // the largest numbers of lines to add above and below
}

// places yields the other places that may have all lines from r.at to the index `to`. It finds them by the rarest of
// these lines. If the range is empty, it finds them by the lines above and below the range. It may yield a place twice.
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

// rarest returns the line from r.at to the index `to` that occurs at the fewest places.
func (r *rivals) rarest(to int) int {
	rarest, fewest := r.at, r.ids.len()+1
	for i := r.at; i < to; i++ {
		if n := r.ids.count(r.ids.id(i)); n < fewest {
			rarest, fewest = i, n
		}
	}
	return rarest
}

// below returns how many lines, from a place downward, equal the lines from r.at downward. It returns at most r.down.
func (r *rivals) below(place int) int {
	return r.compare(func(n int) bool {
		return n < r.down && place+n < r.ids.len() && r.ids.id(r.at+n) == r.ids.id(place+n)
	})
}

// above returns how many lines above a place, from bottom to top, equal the lines above r.at. It returns at most r.up.
func (r *rivals) above(place int) int {
	return r.compare(func(n int) bool {
		return n < r.up && place-n > 0 && r.ids.id(r.at-n-1) == r.ids.id(place-n-1)
	})
}

// compare returns the smallest n for which `same` returns false, and charges the meter for the comparisons.
func (r *rivals) compare(same func(n int) bool) int {
	n := 0
	for same(n) {
		n++
	}
	r.meter.Pay(eachLine * (n + 1))
	return n
}

// lineIDs has an id for each line of two texts. Equal lines have the same id.
type lineIDs struct {
	index    *place.Index // all lines, first the new ones and then the old ones
	new, old int          // how many lines are new, and how many are old
}

func newLineIDs(new, old []string) lineIDs {
	all := strings.Join(append(slices.Concat(new, old), ""), "\n")
	return lineIDs{place.NewLines(all, place.AfterLF, nil).IndexBy(text.TrimEOL), len(new), len(old)}
}

// hunkIDs has the ids of the lines of the text to which a hunk is applied. This text has new lines above the hunk, and
// old lines in and below the hunk.
type hunkIDs struct {
	lineIDs
	newEnd, oldAt int
}

func (m hunkIDs) len() int { return m.newEnd + m.old - m.oldAt }

// skipped returns the difference between the number of an old line in lineIDs and its index in m. The first indexes of
// m are for the new lines above the hunk, and all others for the old lines in and below the hunk.
func (m hunkIDs) skipped() int { return m.new - m.newEnd + m.oldAt }

func (m hunkIDs) id(i int) int32 {
	if i >= m.newEnd {
		i += m.skipped()
	}
	return m.index.ClassOf(i)
}

// parts returns the lines that have the given id, in two lists: the new lines above the hunk, and the old lines that are
// in or below the hunk.
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
