package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// certain marks each changed segment whose place is certain as fixed. Each fixed segment leaves fewer places to the
// others, so certain repeats the search until it finds no more.
func (f *search) certain() {
	for again := true; again; {
		again = false
		for _, s := range f.segments {
			if f.spent(len(s.places)) {
				return
			}
			if s.whole || s.fixed {
				continue
			}
			at, ok := f.fixedPlace(s)
			if !ok {
				continue
			}
			s.fixed, again = true, true
			s.places = []site{at}
			for changed := true; changed; {
				var none int
				if changed, none = f.narrow(); none >= 0 || f.work < 0 {
					return
				}
			}
		}
	}
}

// fixedPlace returns the certain place of a segment. It returns false if there is none, or if another place deletes
// fewer lines and inserts only a few lines more.
func (f *search) fixedPlace(s *segment) (site, bool) {
	at, ok := f.byEdges(s)
	return at, ok && !slices.ContainsFunc(s.places, func(o site) bool {
		fewer := s.deleted(at) - s.deleted(o)
		return o.kept >= 0 && fewer > 0 && s.inserted(o)-s.inserted(at) < 10*fewer+20
	})
}

func (f *search) byEdges(s *segment) (site, bool) {
	if len(s.places) == 1 {
		return s.places[0], true
	}
	p, pLongest := longest(s.places, func(at site) int32 { return at.p }, func(at int32) int { return f.startRun(s, at).lines })
	q, qLongest := longest(s.places, func(at site) int32 { return at.q }, func(at int32) int { return f.endRun(s, at).lines })
	if pLongest && qLongest {
		i := slices.IndexFunc(s.places, func(at site) bool { return at.p == p && at.q == q })
		if i >= 0 && s.places[i].kept >= 0 {
			return s.places[i], true
		}
	}
	if pLongest {
		if at, ok := s.dominant(func(at site) bool { return at.p == p }); ok && f.edgeIsCertain(s, at, f.endRun(s, at.q), at.below) {
			return at, true
		}
	}
	if qLongest {
		if at, ok := s.dominant(func(at site) bool { return at.q == q }); ok && f.edgeIsCertain(s, at, f.startRun(s, at.p), at.above) {
			return at, true
		}
	}
	return site{}, false
}

// longest returns the edge of a place at which the longest run of matching lines begins. It returns false if a run of
// the same length begins at another edge.
func longest(places []site, edge func(site) int32, run func(int32) int) (best int32, only bool) {
	most := -1
	seen := map[int32]bool{}
	for _, at := range places {
		e := edge(at)
		if seen[e] {
			continue
		}
		seen[e] = true
		switch n := run(e); {
		case n > most:
			best, most, only = e, n, true
		case n == most:
			only = false
		}
	}
	return best, only
}

// A run counts the consecutive nonblank lines that a segment and the file share, from an edge inward.
type run struct{ lines, letters int }

func (r *run) add(line string) {
	if line != "" {
		r.lines++
		r.letters += letters(line)
	}
}

func (f *search) startRun(s *segment, p int32) (r run) {
	first := s.first()
	if f.loose && s.above {
		first = s.firstAt(f.b.class(p))
	}
	for i := first; i < s.end(); i++ {
		at := int(p) + i - first
		if at >= len(f.b.lines) || f.b.index.ClassOf(at) != s.class[i] {
			break
		}
		r.add(s.lines[i])
	}
	return r
}

func (f *search) endRun(s *segment, q int32) (r run) {
	end := s.end()
	if f.loose && s.below {
		end = s.endAt(f.b.class(q - 1))
	}
	for i := end - 1; i >= s.first(); i-- {
		at := int(q) - (end - i)
		if at < 0 || f.b.index.ClassOf(at) != s.class[i] {
			break
		}
		r.add(s.lines[i])
	}
	return r
}

// dominant returns the place that `wanted` accepts and at which the fewest lines are deleted and inserted. It returns
// false if the text may mean another accepted place.
func (s *segment) dominant(wanted func(site) bool) (site, bool) {
	best, found := site{}, false
	for _, at := range s.places {
		if wanted(at) && at.kept >= 0 && (!found || s.total(at) < s.total(best)) {
			best, found = at, true
		}
	}
	return best, found && !slices.ContainsFunc(s.places, func(at site) bool { return wanted(at) && at != best && s.rivals(at, best) })
}

// rivals reports whether the text may mean another place instead of the best one.
func (s *segment) rivals(other, best site) bool {
	if other.kept < 0 {
		return s.total(other) < s.deleted(best)+10*s.inserted(best)+20
	}
	deletes := s.deleted(other) - s.deleted(best)
	inserts := s.inserted(other) - s.inserted(best)
	keeps := other.kept - best.kept
	return deletes+inserts < 2 || keeps > 0 && deletes < 10*keeps+20 || deletes < 0 && inserts < -10*deletes+20
}

// edgeIsCertain reports whether an edge of a place is certain. It is certain in three cases:
//   - At least two matching lines, with enough letters together, are at the edge.
//   - The place deletes no lines, and either a matching line with enough letters is at the edge, or the new lines do not
//     resemble the lines of the file beyond the edge.
//   - The place deletes lines, a similar line replaces each of them, and no other place is almost as good.
func (f *search) edgeIsCertain(s *segment, at site, r run, beyond func(int32) int32) bool {
	switch {
	case r.lines >= 2 && r.letters >= fewestLetters:
		return true
	case s.deleted(at) > 0:
		near := slices.ContainsFunc(s.places, func(o site) bool { return o != at && s.total(o) < s.total(at)+4 })
		return !near && !slices.ContainsFunc(f.hunks(s, at), func(h Hunk) bool { return f.unlike(h, isLike) > 0 })
	case r.letters >= fewestLetters:
		return true
	}
	_, resembles := f.likeBeyond(s, beyond)
	return !resembles
}

// likeBeyond reports whether more than 30 % of a segment's new lines are similar to lines of the file
// beyond an edge. It returns the first similar line of the file.
func (f *search) likeBeyond(s *segment, beyond func(int32) int32) (first int, ok bool) {
	fresh, like := 0, 0
	for i, line := range s.lines {
		if s.class[i] >= 0 || line == "" {
			continue
		}
		fresh++
		for j := range int32(2*len(s.lines) + 10) {
			k := beyond(j)
			if k < 0 || int(k) >= len(f.b.lines) {
				break
			}
			if f.work--; isLike(line, f.b.lines[k]) {
				if like++; like == 1 {
					first = int(k)
				}
				break
			}
		}
	}
	return first, 10*like > 3*fresh
}

// IsBlock reports whether a text is one block, such as a function: all lines after the first are indented more. Only
// the last line, which may close the block, may have the same indentation. Blank lines are ignored.
func IsBlock(content string) bool {
	lines := slices.DeleteFunc(text.SplitLines(content), func(line string) bool { return strings.TrimSpace(line) == "" })
	last := len(lines) - 1
	return last > 0 && indentOf(lines[last]) >= indentOf(lines[0]) &&
		!slices.ContainsFunc(lines[1:last], func(line string) bool { return indentOf(line) <= indentOf(lines[0]) })
}

// A proof reports whether a reading may be applied without a question. If so, `at` has the places. Otherwise,
// `unclear` is the index of a changed segment whose place is not certain.
type proof struct {
	at      []site
	unclear int
	ok      bool
}

// prove fixes the segments with certain places and compares the result with the cheapest reading. It
// restores the possible places afterwards.
func (f *search) prove(best choice) proof {
	places := text.Each(f.segments, func(s *segment) []site { return slices.Clone(s.places) })
	f.certain()
	out := f.proved(best)
	for i, s := range f.segments {
		if s.places = places[i]; out.ok && !s.whole && f.cheaperShifted(s, out.at[i]) {
			out = proof{unclear: i}
		}
	}
	return out
}

// proved returns the fixed places if each changed segment has one, and if together they cost no more than
// the cheapest reading.
func (f *search) proved(best choice) proof {
	out := proof{at: make([]site, len(best.at))}
	cost := int64(0)
	low := int32(-1)
	for i, s := range f.segments {
		switch {
		case s.fixed:
			out.at[i] = s.places[0]
		case s.whole:
			out.at[i] = best.at[i]
		default:
			return proof{unclear: i}
		}
		at := out.at[i]
		if at.kept < 0 || f.b.filled[at.p] <= low {
			return proof{unclear: i}
		}
		if cost += s.cost(at); at != best.at[i] && s.cost(at) > s.cost(best.at[i]) {
			out.unclear = i
		}
		low = f.above(at.q)
	}
	out.ok = cost <= best.cost
	return out
}
