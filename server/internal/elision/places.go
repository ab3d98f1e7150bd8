package elision

import (
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mostWork limits the work on one text, in cells. A cell is at most the work of comparing two lines.
const mostWork = 20_000_000

// cellsOfPlace is the cost of keeping a place, in cells.
const cellsOfPlace = 8

// cell is the cost of one cell on the meter, which limits the work on all texts of a reply.
const cell = 8

// A search finds the places of the segments of one text.
type search struct {
	b        *base
	segments []*segment
	work     int   // the number of cells that are left to spend
	loose    bool  // whether more lines at the edges of a segment may be new, although the file has such lines
	empty    int32 // 1 if an elision may leave out no lines, or only blank lines; otherwise 0
}

// above limits the places of the next segment if a segment ends at q. The next segment may start at a line of the file
// only if the number of nonblank lines before that line is larger than the result.
func (f *search) above(q int32) int32 { return f.b.filled[q] - f.empty }

// below limits the places of the previous segment if a segment starts at p. The previous segment may end at a line of the
// file only if the number of nonblank lines before that line is smaller than the result.
func (f *search) below(p int32) int32 { return f.b.filled[p] + f.empty }

func (f *search) spent(n int) bool {
	f.work -= n
	return f.work < 0
}

// edges returns the lines at which the place of a segment may start, and the lines at which it may end. Without an
// elision above or below, the place must start or end with the file.
func (f *search) edges(s *segment) (starts, ends []int32) {
	starts, ends = []int32{int32(f.b.first)}, []int32{int32(f.b.last)}
	switch {
	case s.first() >= s.end(): // all lines are new and belong after the file, or before it
		if s.above {
			return ends, ends
		}
		return starts, starts
	case s.above && s.below:
		starts, ends = f.b.index.Places(s.class[s.first()]), f.b.endsOf(s.class[s.end()-1])
	case s.above:
		starts = f.b.index.Places(s.class[s.first()])
	case s.below:
		ends = f.b.endsOf(s.class[s.end()-1])
	}
	if f.loose && slices.Contains(s.class, -1) {
		moreStarts, moreEnds := [][]int32{starts}, [][]int32{ends}
		if s.above && s.lead > 0 && s.mayBeBesideFile(f.b) {
			moreStarts = append(moreStarts, ends)
		}
		if s.below && s.trail > 0 && s.mayBeBesideFile(f.b) {
			moreEnds = append(moreEnds, starts)
		}
		loosens := func(fresh int, line string) bool { return fresh > 0 || !text.HasWord(line) }
		looseStart, looseEnd := s.above && loosens(s.lead, s.lines[0]), s.below && loosens(s.trail, s.lines[len(s.lines)-1])
		seen := map[int32]bool{}
		for i := s.first(); i < s.end(); i++ {
			class := s.class[i]
			if class < 0 || seen[class] || !text.HasWord(s.lines[i]) {
				continue
			}
			seen[class] = true
			if looseStart {
				moreStarts = append(moreStarts, f.b.index.Places(class))
			}
			if looseEnd {
				moreEnds = append(moreEnds, f.b.endsOf(class))
			}
		}
		starts, ends = f.union(moreStarts), f.union(moreEnds)
	}
	return starts, ends
}

// mayBeBesideFile reports whether the lines of a segment may belong before the first or after the last line
// of the file.
func (s *segment) mayBeBesideFile(b *base) bool {
	return s.above && !s.below && s.indent <= b.indent[b.last-1] || s.below && !s.above && s.indent <= b.indent[b.first]
}

// union returns the lines of the file that are in any of the slices, sorted.
func (f *search) union(of [][]int32) []int32 {
	if len(of) == 1 {
		return of[0]
	}
	has, n := make([]uint64, len(f.b.lines)/64+1), 0
	for _, lines := range of {
		if !f.b.file.Meter().Pay(len(lines)) {
			return nil
		}
		for _, line := range lines {
			has[line/64] |= 1 << (line % 64)
		}
	}
	for _, word := range has {
		n += bits.OnesCount64(word)
	}
	out := make([]int32, 0, n)
	for i, word := range has {
		for ; word != 0; word &= word - 1 {
			out = append(out, int32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return out
}

// sizes returns the smallest and the largest number of lines that a place of the segment can have.
func (s *segment) sizes(loose bool) (least, most int32) {
	if s.above && s.below && s.end()-s.first() == 1 {
		return 1, 1
	}
	if s.above && s.below && !loose {
		return 2, 1 << 30
	}
	if s.first() >= s.end() || loose && s.above != s.below {
		return 0, 1 << 30
	}
	return 1, 1 << 30
}

// A window limits the places of a segment between its neighbors: more than `low` nonblank lines must come before the
// start p, and fewer than `high` before the end q.
type window struct{ low, high int32 }

// windows returns, for each segment, the window that follows from the order of the segments. If a segment has no place
// in this order, windows returns the index of that segment, otherwise -1.
func (f *search) windows(starts, ends [][]int32) ([]window, int) {
	b, n := f.b, len(f.segments)
	out := make([]window, n)
	low := int32(-1)
	for i, s := range f.segments {
		if s.above && !s.free {
			low = max(low, -f.empty)
		}
		out[i].low = low
		least, _ := s.sizes(f.loose)
		p := sort.Search(len(starts[i]), func(k int) bool { return b.filled[starts[i][k]] > low })
		if p == len(starts[i]) {
			return nil, i
		}
		q, _ := slices.BinarySearch(ends[i], starts[i][p]+least)
		if q == len(ends[i]) {
			return nil, i
		}
		low = f.above(ends[i][q])
	}
	all := b.filled[len(b.lines)]
	high := all + 1
	for i := n - 1; i >= 0; i-- {
		s := f.segments[i]
		if s.below && !s.free {
			high = min(high, all+f.empty)
		}
		out[i].high = high
		least, _ := s.sizes(f.loose)
		q := sort.Search(len(ends[i]), func(k int) bool { return b.filled[ends[i][k]] >= high }) - 1
		if q < 0 {
			return nil, i
		}
		p, _ := slices.BinarySearch(starts[i], ends[i][q]-least+1)
		if p == 0 {
			return nil, i
		}
		high = f.below(starts[i][p-1])
	}
	return out, -1
}

// find finds the possible places of each segment. If there is no reading, it returns the reason why; otherwise nil.
func (f *search) find() *Reason {
	starts, ends := make([][]int32, len(f.segments)), make([][]int32, len(f.segments))
	for i, s := range f.segments {
		starts[i], ends[i] = f.edges(s)
		s.places = nil
	}
	windows, none := f.windows(starts, ends)
	if none >= 0 {
		return &Reason{Kind: NoOrder, Part: none}
	}
	for i, s := range f.segments {
		if !f.wholes(s, windows[i]) && !f.pairs(s, windows[i], starts[i], ends[i], f.shape(s, windows[i])) {
			return &Reason{Kind: TooMuch, Part: i}
		}
	}
	for changed := true; changed; {
		var none int
		if changed, none = f.narrow(); none >= 0 {
			return &Reason{Kind: NoOrder, Part: none}
		}
		if f.work < 0 {
			return &Reason{Kind: TooMuch}
		}
	}
	return f.count()
}

// count sets kept for each place. It returns a reason if that takes too much work.
func (f *search) count() *Reason {
	for i, s := range f.segments {
		if !s.whole && !f.keep(s, f.b.index) {
			return &Reason{Kind: TooMuch, Part: i}
		}
	}
	return nil
}

// wholes collects the places in a window at which the file contains a segment verbatim. It reports whether it found
// any. If it did, the segment has no other places.
func (f *search) wholes(s *segment, w window) bool {
	if s.lead+s.trail > 0 || slices.Contains(s.class, -1) {
		return false
	}
	n := int32(len(s.lines))
	f.work -= len(f.b.index.Rarest(s.class))
	f.b.index.Find(s.class, func(at int) bool {
		p := int32(at)
		f.work -= len(s.class) + cellsOfPlace
		if f.b.filled[p] > w.low && f.b.filled[p+n] < w.high && (s.above || at == f.b.first) && (s.below || at+int(n) == f.b.last) {
			s.places = append(s.places, site{p, p + n, n})
		}
		return f.work >= 0
	})
	s.whole = len(s.places) > 0
	return s.whole
}

// pairs collects the places of a segment between two edges. It prefers places that `fits` accepts, and uses other
// places only if there are none. It returns false if there are too many places.
func (f *search) pairs(s *segment, w window, starts, ends []int32, fits func(site) bool) bool {
	least, most := s.sizes(f.loose)
	var shaped, other []site
	for _, p := range starts {
		if f.b.filled[p] <= w.low {
			continue
		}
		first, _ := slices.BinarySearch(ends, p+least)
		for _, q := range ends[first:] {
			if f.b.filled[q] >= w.high || q > p+most {
				break
			}
			if f.spent(cellsOfPlace) {
				return false
			}
			at := site{p, q, -1}
			if fits(at) {
				shaped = append(shaped, at)
			} else if len(shaped) == 0 {
				other = append(other, at)
			}
		}
	}
	if s.places = shaped; len(shaped) == 0 {
		s.places = other
	}
	return true
}

// shape returns a test for places. A place passes the test if it leaves the same brackets open as s, and none of its
// lines is indented less than all lines of s. Test places with the same start in a row, because the limit is kept
// only for the last start.
func (f *search) shape(s *segment, w window) func(site) bool {
	from, limit := int32(-1), int32(0)
	return func(at site) bool {
		if at.p != from {
			from, limit = at.p, f.lessIndented(s, at.p, w)
		}
		return at.q <= limit && f.balanced(s, at)
	}
}

// lessIndented returns the first line of the file, at or after line p, that is less indented than every line of a
// segment. If the window has no such line, it returns some line outside of the window.
func (f *search) lessIndented(s *segment, p int32, w window) int32 {
	n := int32(len(f.b.lines))
	if s.indent == 0 {
		return n
	}
	at := p
	for at < n && f.b.filled[at] < w.high && f.b.indent[at] >= s.indent {
		at++
	}
	f.work -= int(at - p)
	return at
}

func (f *search) balanced(s *segment, at site) bool {
	for i, open := range s.open {
		if f.b.open[at.q][i]-f.b.open[at.p][i] != open {
			return false
		}
	}
	return true
}

// narrow removes the places that the order of the segments rules out. `changed` is true if it removed a place. `none`
// is the index of a segment without a place, or negative.
func (f *search) narrow() (changed bool, none int) {
	for _, s := range f.segments {
		f.work -= 1 + len(s.places)
	}
	b := f.b
	all := b.filled[len(b.lines)]
	low := int32(-1)
	for i, s := range f.segments {
		end := int32(1 << 30)
		for _, at := range s.places {
			if b.filled[at.p] > low {
				end = min(end, f.above(at.q))
			}
		}
		from := low
		changed = s.drop(func(at site) bool { return b.filled[at.p] <= from }) || changed
		if len(s.places) == 0 {
			return changed, i
		}
		low = end
	}
	high := all + 1
	for i := len(f.segments) - 1; i >= 0; i-- {
		s := f.segments[i]
		start := int32(-1)
		for _, at := range s.places {
			if b.filled[at.q] < high {
				start = max(start, f.below(at.p))
			}
		}
		to := high
		changed = s.drop(func(at site) bool { return b.filled[at.q] >= to }) || changed
		if len(s.places) == 0 {
			return changed, i
		}
		high = start
	}
	return changed, -1
}

func (s *segment) drop(unfit func(site) bool) bool {
	n := len(s.places)
	s.places = slices.DeleteFunc(s.places, unfit)
	return len(s.places) < n
}

// keep counts the lines that a segment keeps at each of its places. It computes the longest common subsequence for all
// places with the same start in one pass (J. W. Hunt, T. G. Szymanski, 1977). A pass stops when no later place can be
// the cheapest, or close to it. keep returns false if the work exceeds the budget.
func (f *search) keep(s *segment, index *place.Index) bool {
	at := map[int32][]int32{} // the lines of the segment in reverse order, by class
	for i := len(s.class) - 1; i >= 0; i-- {
		if s.class[i] >= 0 {
			at[s.class[i]] = append(at[s.class[i]], int32(i))
		}
	}
	// ends[i] is the smallest line of the segment at which a common subsequence of i+1 lines can end.
	ends := make([]int32, 0, len(s.lines))
	for i := 0; i < len(s.places); {
		p := s.places[i].p
		line, limit := p, int32(1<<30)
		ends = ends[:0]
		for ; i < len(s.places) && s.places[i].p == p; i++ {
			to := &s.places[i]
			if to.q-p > limit {
				continue
			}
			for ; line < to.q; line++ {
				matches := at[index.ClassOf(int(line))]
				if f.spent(1 + len(matches)) {
					return false
				}
				for _, m := range matches {
					if k, _ := slices.BinarySearch(ends, m); k == len(ends) {
						ends = append(ends, m)
					} else {
						ends[k] = m
					}
				}
			}
			to.kept = int32(len(ends))
			limit = min(limit, int32(len(s.lines))+s.deleted(*to)+10*s.inserted(*to)+22)
		}
	}
	return true
}

// cheaperShifted reports whether another place of a segment would cost less if indentation were ignored, because the
// reply may mean that place and change the indentation.
func (f *search) cheaperShifted(s *segment, at site) bool {
	if len(s.places) < 2 {
		return false
	}
	index, own := f.b.trimmed(), slices.Index(s.places, at)
	other := &segment{lines: s.lines, class: make([]int32, len(s.lines)), places: slices.Clone(s.places)}
	for i, line := range s.lines {
		other.class[i] = index.Class(strings.TrimSpace(line))
	}
	for i := range other.places {
		other.places[i].kept = -1
	}
	if own < 0 || !f.keep(other, index) || other.places[own].kept < 0 {
		return true
	}
	least := s.cost(other.places[own])
	return slices.ContainsFunc(other.places, func(o site) bool { return o.kept >= 0 && s.cost(o) < least })
}
