package place

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Place is an approximate match.
type Place struct {
	Span     text.Span
	Likeness float64 // the share of common nonblank characters, from 0 to 1
}

// Limits of a search for similar texts.
const (
	maxRows   = 500
	tried     = 6  // the largest number of candidates that are compared line by line
	gramUnits = 12 // the cost of each searched byte, in units of the meter
	// the least number of nonblank bytes to search for; a shorter text resembles everything
	minFolded  = 8
	minAlike   = 0.6
	shortAlike = 0.75 // the least likeness for one short line
)

// Same returns at most n places of `want`. White space and the kind of quotes and dashes make no difference.
func (f *Folded) Same(want string, n int) []text.Span {
	folded := Fold(want, f.meter).Text
	if len(folded) < minFolded || !f.meter.Pay(len(f.Text)+len(folded)) {
		return nil
	}
	var found []text.Span
	for _, at := range Occurrences(f.Text, folded) {
		span := text.Span{Start: f.Source(at, false), End: f.Source(at+len(folded), true)}
		found = append(found, edged(f.src, want, span))
		if len(found) == n {
			break
		}
	}
	return found
}

// Closest returns at most n places that are most similar to `want`, the best first. Its time is linear in the length
// of the text, plus limited work for each candidate. When ctx is done or the meter is spent, it returns the places
// found so far.
func (f *Folded) Closest(ctx context.Context, want string, n int) []Place {
	folded := Fold(want, f.meter).Text
	lines := rows(want, text.Span{End: len(want)})
	if len(folded) < minFolded || len(lines) > maxRows || !f.meter.Pay(gramUnits*len(f.Text)) {
		return nil
	}
	var found []Place
	for _, at := range candidates(ctx, f.Text, folded, tried) {
		if ctx.Err() != nil || f.meter.Spent() {
			break
		}
		p, ok := f.compare(want, lines, at, len(folded))
		if ok && !slices.ContainsFunc(found, func(q Place) bool { return q.Span.Overlaps(p.Span) }) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b Place) int { return cmp.Compare(b.Likeness, a.Likeness) })
	return found[:min(n, len(found))]
}

// compare compares `want` with the lines around an offset of the folded text. It returns false if they are not
// similar enough.
func (f *Folded) compare(want string, lines []row, at, size int) (Place, bool) {
	slack := size/2 + 80
	start := f.Source(max(at-slack/2, 0), false)
	start = strings.LastIndexByte(f.src[:start], '\n') + 1
	end := f.Source(min(max(at, 0)+size+slack, len(f.Text)), true)
	if i := strings.IndexByte(f.src[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(f.src)
	}
	found := rows(f.src, text.Span{Start: start, End: max(start, end)})
	pairs := align(f.meter, lines, found[:min(len(found), 2*len(lines)+100)])
	if len(pairs) == 0 || f.meter.Spent() {
		return Place{}, false
	}
	p := Place{Likeness: likeness(lines, found, pairs)}
	first, last := pairs[0], pairs[len(pairs)-1]
	p.Span = text.Span{
		Start: found[first.found].span.Start + first.part.Start,
		End:   found[last.found].span.Start + last.part.End,
	}
	p.Span = edged(f.src, want, p.Span)
	least := minAlike
	if len(lines) == 1 && size < 20 {
		least = shortAlike
	}
	return p, p.Likeness >= least
}

func likeness(want, found []row, pairs []pair) float64 {
	common, all := 0, 0
	for _, r := range want {
		all += len(r.text)
	}
	next := pairs[0].found
	for _, p := range pairs {
		for ; next < p.found; next++ {
			all += len(found[next].text)
		}
		next++
		all += p.part.Len()
		common += p.common
	}
	return min(2*float64(common)/math.Max(float64(all), 1), 1)
}

// edged extends a span by the line endings and the indentation with which `want` begins and ends.
func edged(s, want string, span text.Span) text.Span {
	start := strings.LastIndexByte(s[:span.Start], '\n') + 1
	if text.IsBlank(s[start:span.Start]) {
		first := strings.TrimLeft(want, "\n")
		switch {
		case first != want && start > 0:
			span.Start = start - 1
		case text.Indentation(first) != "" || strings.Contains(strings.TrimSpace(want), "\n") && !keepsIndentation(s[span.Start:span.End], want):
			span.Start = start
		}
	}
	if strings.HasSuffix(want, "\n") {
		if rest := strings.TrimLeft(s[span.End:], spaces); strings.HasPrefix(rest, "\n") {
			span.End = len(s) - len(rest) + 1
		}
	}
	return span
}

// keepsIndentation reports whether the lines of `want` below the first are indented as in `found`. If so, only the
// first line lost its indentation when it was copied.
func keepsIndentation(found, want string) bool {
	a, b := strings.Split(found, "\n"), strings.Split(want, "\n")
	for i := 1; i < min(len(a), len(b)); i++ {
		if indentation := text.Indentation(a[i]); indentation != "" && !text.IsBlank(a[i]) {
			return indentation == text.Indentation(b[i])
		}
	}
	return false
}

// A gram is a string of gramLen bytes that occurs in both texts. Rarer grams have more weight in the search for
// similar places.
const (
	gramLen   = 6
	gramBits  = 8 * gramLen
	maxWanted = 1 << 14 // the largest number of grams of `want`
	maxHits   = 64      // the largest number of places for each gram
)

type gram = uint64

type hit struct{ at, gram int32 }

// grams are the grams of a text, each with its first offset.
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

func eachGram(s string, f func(at int, x gram) bool) {
	x := gram(0)
	for i := range len(s) {
		x = (x<<8 | gram(s[i])) & (1<<gramBits - 1)
		if i >= gramLen-1 && !f(i-gramLen+1, x) {
			return
		}
	}
}

// find returns the places of the grams in s, and the number of places of each gram. It lists at most maxHits places
// of a gram.
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

// candidates returns the offsets in s at which the folded text `want` may be, the likeliest first. An offset may be
// wrong by a quarter of the length of `want`, or by more if s has much text inserted or missing.
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
